import type { Deps } from "#src/deps.ts";
import { declareTagged, IfMatch, readIfMatch } from "#src/http/etag.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import {
  Conversation,
  ConversationPage,
  ConversationPath,
  Conversations,
  Title,
} from "./schemas.ts";
import {
  removeConversation,
  renameConversation,
  showConversation,
  titleTag,
} from "./show_conversation.ts";
import { listConversations } from "./views.ts";

const CHAT = { "x-permission": "ai:chat" as const, tags: ["Assistant"] };

const list = route({
  ...CHAT,
  method: "get",
  operationId: "listConversations",
  path: "/ai/conversations",
  summary: "List conversations",
  description:
    "For users of the assistant. Only conversations of the caller are listed, last changed first.",
  request: { query: ConversationPage },
  responses: { 200: json(Conversations, "Page of conversations") },
});
const show = route({
  ...CHAT,
  method: "get",
  operationId: "getConversation",
  path: "/ai/conversations/{id}",
  summary: "Read a conversation",
  description: "For users of the assistant. The answer contains messages, tool calls and results.",
  request: { params: ConversationPath, query: ConversationPage },
  responses: {
    200: declareTagged(Conversation, "Conversation with a page of its messages, oldest first"),
  },
});
const rename = route({
  ...CHAT,
  method: "put",
  operationId: "renameConversation",
  "x-audit": "conversation.changed",
  path: "/ai/conversations/{id}",
  summary: "Rename a conversation",
  description: "For users of the assistant.",
  request: { params: ConversationPath, headers: IfMatch, body: body(Title) },
  responses: { 200: declareTagged(Conversation, "Conversation"), ...failing(412) },
});
const remove = route({
  ...CHAT,
  method: "delete",
  operationId: "deleteConversation",
  "x-audit": "conversation.deleted",
  path: "/ai/conversations/{id}",
  summary: "Delete a conversation",
  description: "For users of the assistant. Its messages and its link are deleted too.",
  request: { params: ConversationPath },
  responses: { 204: { description: "The conversation was deleted" } },
});

const WHOLE_PAGE = { limit: 50, offset: 0 };

export function conversationRoutes(deps: Pick<Deps, "clock" | "db">) {
  return newRouter("framework")
    .openapi(
      list,
      async (c) =>
        c.json(await listConversations(deps.db, c.var.actor.username, c.req.valid("query")), 200),
    )
    .openapi(show, async (c) => {
      const { id } = c.req.valid("param");
      const owner = c.var.actor.username;
      const shown = await showConversation(deps, { id, owner, page: c.req.valid("query") });
      c.header("ETag", titleTag(shown.title));
      return c.json(shown as never, 200);
    })
    .openapi(rename, async (c) => {
      const { id } = c.req.valid("param");
      const { actor } = c.var;
      const { title } = c.req.valid("json");
      await renameConversation(deps, { id, actor, title, ifMatch: readIfMatch(c) });
      const owner = actor.username;
      const shown = await showConversation(deps, { id, owner, page: WHOLE_PAGE });
      c.header("ETag", titleTag(shown.title));
      return c.json(shown as never, 200);
    })
    .openapi(remove, async (c) => {
      await removeConversation(deps, { id: c.req.valid("param").id, actor: c.var.actor });
      return c.body(null, 204);
    });
}
