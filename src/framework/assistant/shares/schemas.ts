import { z } from "@hono/zod-openapi";
import { CALL_STATES } from "../conversations/message.ts";
import { TextPart, ToolResult } from "../conversations/schemas.ts";
import { DEFAULT_DAYS, MAX_DAYS } from "./share_conversation.ts";
import { orNull } from "#src/http/wire.ts";

export const ShareBody = z.object({
  include_results: z.boolean().default(false).openapi({
    description: "True to show tool calls and results",
    example: false,
  }),
  expires_in_days: z.int().min(1).max(MAX_DAYS).default(DEFAULT_DAYS).openapi({
    description: "Validity of the link in days",
    example: 30,
  }),
}).strict().openapi("AiShareRequest", { description: "Options of a link" });
export const ShareLink = z.object({
  token: z.string().openapi({
    description: "Token that opens the conversation; shown only in this answer",
    example: "q83vEjRWeJCrze8SNFZ4kA",
  }),
  path: z.string().openapi({
    description: "Path of the page in the console; the part after `#` is the token",
    example: "/shared#q83vEjRWeJCrze8SNFZ4kA",
  }),
  include_results: z.boolean().openapi({
    description: "True when the link shows tool calls and results",
    example: false,
  }),
  created_at: z.string().openapi({
    description: "Time of the creation",
    example: "2026-11-20T09:12:03Z",
  }),
  expires_at: z.string().openapi({
    description: "Expiry of the link",
    example: "2026-12-20T09:20:00Z",
  }),
}).openapi("AiShareLink", { description: "Created link" });
/** Its token is a secret: it stands in a header, which servers in between do not log, as they do addresses. */
export const SharedHeader = z.object({
  "x-share-token": z.string().min(1).max(100).openapi({
    description: "Token of the link: the part after `#`",
    example: "q83vEjRWeJCrze8SNFZ4kA",
  }),
});

const SharedCall = z.object({
  type: z.literal("tool_call").openapi({ description: "Always `tool_call`", example: "tool_call" }),
  tool: z.string().openapi({ description: "Name of the tool", example: "sql__erp__orders" }),
  arguments: z.record(z.string(), z.unknown()).openapi({
    description: "Arguments of the call",
    example: { status: ["open"] },
  }),
  state: z.enum(CALL_STATES).openapi({ description: "State of the call", example: "succeeded" }),
  result: orNull(ToolResult).openapi({ description: "Result of the call" }),
}).openapi("AiSharedCall", { description: "Tool call of a shared conversation" });
const SharedMessage = z.object({
  role: z.enum(["user", "assistant"]).openapi({
    description: "Author of the message",
    example: "user",
  }),
  parts: z.array(z.union([TextPart, SharedCall])).openapi({
    description: "Texts, and tool calls when the link shows results",
  }),
  created_at: z.string().openapi({
    description: "Start of the message",
    example: "2026-11-20T09:12:03Z",
  }),
}).openapi("AiSharedMessage", { description: "Message of a shared conversation" });
export const Shared = z.object({
  title: z.string().openapi({
    description: "Title of the conversation",
    example: "Open orders by region",
  }),
  created_at: z.string().openapi({
    description: "Start of the conversation",
    example: "2026-11-20T09:12:03Z",
  }),
  messages: z.array(SharedMessage).openapi({ description: "Messages, oldest first" }),
  shared_at: z.string().openapi({
    description: "Time of the creation of the link",
    example: "2026-11-20T09:12:03Z",
  }),
  expires_at: z.string().openapi({
    description: "Expiry of the link",
    example: "2026-12-20T09:20:00Z",
  }),
}).openapi("AiSharedConversation", { description: "Shared conversation" });
