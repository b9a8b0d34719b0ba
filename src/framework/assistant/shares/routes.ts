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
  summary: "Share a conversation",
  description:
    "For users of the assistant. Everybody with the link can read the present state of the conversation. An earlier link ends.",
  request: { params: ConversationPath, body: body(ShareBody) },
  responses: {
    200: json(ShareLink, "Link; its token is shown only in this answer"),
    ...failing(413),
  },
});
const end = route({
  ...SHARE,
  method: "delete",
  operationId: "unshareConversation",
  "x-audit": "conversation.unshared",
  path: PATH,
  summary: "Stop sharing a conversation",
  description: "For users of the assistant. The link ends.",
  request: { params: ConversationPath },
  responses: { 204: { description: "The link no longer works" } },
});
const shared = route({
  method: "get",
  operationId: "openSharedConversation",
  path: "/ai/shared",
  "x-permission": "public",
  tags: ["Assistant"],
  summary: "Read a shared conversation",
  description: "For everybody with the link. The answer shows the state at the time of sharing.",
  request: { headers: SharedHeader },
  responses: { 200: json(Shared, "Conversation"), ...failing(404) },
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
