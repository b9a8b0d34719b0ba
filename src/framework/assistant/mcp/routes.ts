import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, newRouter, route } from "#src/http/router.ts";
import { presentCaller, toolCaller } from "../tools/routes.ts";
import { type DoorDeps, doorFor } from "./door.ts";

const Message = z.looseObject({
  jsonrpc: z.literal("2.0").openapi({ description: "Version of JSON-RPC", example: "2.0" }),
  method: z.string().max(200).optional().openapi({
    description: "Method; omitted in an answer",
    example: "tools/list",
  }),
}).openapi("McpMessage", { description: "JSON-RPC message of the Model Context Protocol" });

const post = route({
  method: "post",
  operationId: "sendMcp",
  path: "/mcp",
  "x-audit": false, // decisions and changes are recorded by their own verbs
  "x-permission": "ai:chat",
  tags: ["Assistant"],
  summary: "Send a message of the Model Context Protocol",
  description:
    "For assistants outside the product, over streamable HTTP without a stream of its own (GET). The tools are those of the caller. Tools that require an approval are offered to clients with `elicitation`; they receive a session in `Mcp-Session-Id` and answers as events. Resources: `passerelle://invoices/{id}/ubl`, `/findings`, `/pdf`.",
  request: { body: body(Message, { limit: MB }) },
  responses: {
    200: {
      description: "Answer in JSON-RPC 2.0",
      content: {
        "application/json": { schema: Message },
        "text/event-stream": { schema: { type: "string" as const } },
      },
    },
    202: { description: "The notification or answer was accepted" },
    ...failing(404),
    406: { description: "`Accept` must name application/json and text/event-stream" },
  },
});

/** The bearer token identifies the user. Pages of other sites and foreign host names are refused, as on every route. */
export function mcpRoutes(deps: DoorDeps & Pick<Deps, "mcp">) {
  return newRouter("framework").openapi(post, async (c) => {
    const door = doorFor(deps, {
      caller: toolCaller(c),
      present: () => presentCaller(c),
      errorId: c.var.requestId,
    });
    const answer = await deps.mcp.answer(c.req.raw, c.req.valid("json"), door);
    const headers = Object.fromEntries(answer.headers);
    return c.newResponse(answer.body, answer.status as 200, headers) as never;
  });
}
