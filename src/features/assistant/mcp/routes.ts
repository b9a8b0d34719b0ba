import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, newRouter, route } from "#src/http/router.ts";
import { presentCaller, toolCaller } from "../tools/routes.ts";
import { doorFor, type DoorNeeds } from "./door.ts";

const Message = z.looseObject({
  jsonrpc: z.literal("2.0"),
  method: z.string().max(200).optional(),
}).openapi("McpMessage");

const post = route({
  method: "post",
  operationId: "sendMcp",
  path: "/mcp",
  "x-audit": false, // what a user decided and what a call changed are recorded by their verbs
  "x-permission": "ai:chat",
  tags: ["Assistant"],
  summary:
    "The Model Context Protocol over streamable HTTP: the caller's tools, and invoices to read",
  description:
    "Without a stream of its own (GET). Tools that need an approval are offered to clients that can ask their user for it (`elicitation`), which then get a session in `Mcp-Session-Id` and answers of `tools/call` as events; any process answers any message. Resources: `passerelle://invoices/{id}/ubl`, `/findings`, `/pdf`.",
  request: { body: body(Message, { limit: MB }) },
  responses: {
    200: {
      description: "The answer, JSON-RPC 2.0",
      content: {
        "application/json": { schema: Message },
        "text/event-stream": { schema: { type: "string" as const } },
      },
    },
    202: { description: "A notification, or what the user said, was taken" },
    ...failing(404),
    406: { description: "`Accept` must name application/json and text/event-stream" },
  },
});

/** The bearer token says whose tools these are; pages of other sites, and names that are not this product's, are kept out as from every route. */
export function mcpRoutes(needs: DoorNeeds & Pick<Deps, "mcp">) {
  return newRouter("framework").openapi(post, async (c) => {
    const door = doorFor(needs, {
      caller: toolCaller(c),
      present: () => presentCaller(c),
      errorId: c.var.requestId,
    });
    const answer = await needs.mcp.answer(c.req.raw, c.req.valid("json"), door);
    const headers = Object.fromEntries(answer.headers);
    return c.newResponse(answer.body, answer.status as 200, headers) as never;
  });
}
