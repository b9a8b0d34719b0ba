import type { Deps } from "#src/deps.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { ConversationPath } from "../conversations/schemas.ts";
import { ShareBody, Shared, SharedHeader, ShareLink } from "./schemas.ts";
import { endShare, openShare, shareConversation } from "./share_conversation.ts";

const SHARE = { "x-permission": "ai:share" as const, tags: ["Assistant"] };
const PATH = "/ai/conversations/{id}/share";

const share = route({
  ...SHARE,
  method: "post",
  operationId: "shareConversation",
  "x-audit": "conversation.shared",
  path: PATH,
  summary: "A link under which anybody reads the conversation as it is now; the one it had ends",
  request: { params: ConversationPath, body: body(ShareBody) },
  responses: { 200: json(ShareLink, "The link, told this once"), ...failing(413) },
});
const end = route({
  ...SHARE,
  method: "delete",
  operationId: "unshareConversation",
  "x-audit": "conversation.unshared",
  path: PATH,
  summary: "End the link of a conversation",
  request: { params: ConversationPath },
  responses: { 204: { description: "The link leads nowhere" } },
});
const shared = route({
  method: "get",
  operationId: "openSharedConversation",
  path: "/ai/shared",
  "x-permission": "public",
  tags: ["Assistant"],
  summary:
    "A shared conversation as it was when it was shared; nothing else can be reached from it",
  request: { headers: SharedHeader },
  responses: { 200: json(Shared, "The conversation"), ...failing(404) },
});

export function shareRoutes(deps: Pick<Deps, "accounts" | "clock" | "db">) {
  return newRouter("framework")
    .openapi(share, async (c) => {
      const { include_results: includeResults, expires_in_days: days } = c.req.valid("json");
      const { id } = c.req.valid("param");
      const { actor } = c.var;
      c.set("isToldOnce", true);
      return c.json(await shareConversation(deps, { id, actor, includeResults, days }), 200);
    })
    .openapi(end, async (c) => {
      await endShare(deps, { id: c.req.valid("param").id, actor: c.var.actor });
      return c.body(null, 204);
    })
    .openapi(shared, async (c) => {
      c.header("X-Robots-Tag", "noindex");
      return c.json(await openShare(deps, c.req.valid("header")["x-share-token"]) as never, 200);
    });
}
