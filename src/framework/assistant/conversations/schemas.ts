import { z } from "@hono/zod-openapi";
import { windowed, windowQuery } from "#src/http/list.ts";
import { orNull } from "#src/http/wire.ts";
import { CONFIRMATIONS } from "../tools/mod.ts";
import { CALL_STATES, DECISIONS, FINISH_REASONS } from "./message.ts";

export const ConversationPath = z.object({
  id: z.uuid().openapi({
    description: "Identifier of a conversation of the caller",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
});
export const ConversationPage = windowQuery({ limit: 50, most: 100 });

const Share = z.object({
  created_at: z.string().openapi({
    description: "Time of the creation",
    example: "2026-11-20T09:12:03Z",
  }),
  expires_at: z.string().openapi({
    description: "Expiry of the link",
    example: "2026-12-20T09:20:00Z",
  }),
  include_results: z.boolean().openapi({
    description: "True when the link shows tool calls and results",
    example: false,
  }),
}).openapi("AiShareState", { description: "Link to a conversation" });

const summary = {
  id: z.string().openapi({
    description: "Identifier of the conversation",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  title: z.string().openapi({
    description: "Title: the first words of the conversation, or the one that the user set",
    example: "Open orders by region",
  }),
  app: z.string().nullable().openapi({
    description: "App in which the conversation started; null without one",
    example: "sales",
  }),
  model: z.string().openapi({ description: "Model of the last turn", example: "small" }),
  message_count: z.int().openapi({ description: "Number of messages", example: 4 }),
  created_at: z.string().openapi({
    description: "Start of the conversation",
    example: "2026-11-20T09:12:03Z",
  }),
  updated_at: z.string().openapi({
    description: "Time of the last change",
    example: "2026-11-20T09:12:03Z",
  }),
};
const Summary = z.object({
  ...summary,
  turn_under_way: z.boolean().openapi({
    description: "True while the assistant answers",
    example: false,
  }),
  share: orNull(Share).openapi({ description: "Link to the conversation; null without one" }),
}).openapi("AiConversationSummary", { description: "Conversation in a list" });
export const Conversations = z.object({
  items: z.array(Summary).openapi({ description: "Conversations of this page" }),
  ...windowed,
}).openapi("AiConversations", { description: "Page of conversations" });

export const ToolResult = z.object({
  columns: z.array(z.string()).openapi({
    description: "Names of the columns",
    example: ["region", "n"],
  }),
  rows: z.array(z.array(z.unknown())).openapi({
    description: "Rows in the order of the columns, at most 50 rows and 8 KiB",
    example: [["EU", 12]],
  }),
  row_count: z.int().openapi({
    description: "Number of rows, or of read rows when the total is unknown",
    example: 2,
  }),
  truncated: z.boolean().openapi({
    description: "True when rows or parts of texts were left out",
    example: false,
  }),
  about: z.record(z.string(), z.unknown()).optional().openapi({
    description: "Further information about the result",
    example: { affected: 1 },
  }),
}).openapi("AiToolResult", { description: "Result of a tool call" });
const Approval = z.object({
  by: z.string().openapi({ description: "User who decided", example: "alice" }),
  at: z.string().openapi({ description: "Time of the decision", example: "2026-11-20T09:12:03Z" }),
  decision: z.enum(DECISIONS).openapi({ description: "Decision", example: "allow" }),
}).openapi("AiApproval", { description: "Decision of the user about a call" });
export const ToolCall = z.object({
  type: z.literal("tool_call").openapi({ description: "Always `tool_call`", example: "tool_call" }),
  id: z.string().openapi({
    description: "Identifier of the call, for a decision",
    example: "call_1",
  }),
  tool: z.string().openapi({
    description: "Name of the tool",
    example: "sql__erp__orders",
  }),
  permission: z.string().nullable().openapi({
    description: "Permission code of the call; null when the user may not call the tool",
    example: "sql:erp:orders",
  }),
  confirm: z.enum(CONFIRMATIONS).openapi({
    description: "Approval by the user",
    example: "never",
  }),
  arguments: z.record(z.string(), z.unknown()).openapi({
    description: "Arguments of the call",
    example: { status: ["open"] },
  }),
  state: z.enum(CALL_STATES).openapi({
    description: "`pending_approval` waits for the user; the user `denied` the call",
    example: "succeeded",
  }),
  approval: orNull(Approval).openapi({ description: "Decision of the user; null without one" }),
  started_at: z.string().nullable().openapi({
    description: "Start of the call",
    example: "2026-11-20T09:12:03Z",
  }),
  duration_ms: z.int().nullable().openapi({
    description: "Duration in milliseconds",
    example: 42,
  }),
  result: orNull(ToolResult).openapi({ description: "Result that the model received" }),
  error: z.string().nullable().openapi({
    description: "Reason why the call failed; null without an error",
    example: "Unknown column",
  }),
}).openapi("AiToolCall", { description: "Tool call" });
export const TextPart = z.object({
  type: z.literal("text").openapi({ description: "Always `text`", example: "text" }),
  text: z.string().openapi({ description: "Text", example: "12 orders are open." }),
}).openapi("AiText", { description: "Text of a message" });
export const Usage = z.object({
  input_tokens: z.int().openapi({ description: "Number of input tokens", example: 812 }),
  output_tokens: z.int().openapi({ description: "Number of output tokens", example: 95 }),
}).openapi("AiUsage", { description: "Token usage" });
export const Message = z.object({
  id: z.string().openapi({
    description: "Identifier of the message",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  role: z.enum(["user", "assistant"]).openapi({
    description: "Author of the message",
    example: "assistant",
  }),
  parts: z.array(z.union([TextPart, ToolCall])).openapi({
    description: "Texts and tool calls of the message",
  }),
  usage: Usage.nullable().openapi({
    description: "Tokens of the message; null when the model reports none",
  }),
  finish_reason: z.enum(FINISH_REASONS).nullable().openapi({
    description:
      "Reason for the end of the message; null for a message of the user or an unfinished one",
    example: "stop",
  }),
  created_at: z.string().openapi({
    description: "Start of the message",
    example: "2026-11-20T09:12:03Z",
  }),
}).openapi("AiMessage", { description: "Message of a conversation" });
export const Conversation = Summary.extend({
  owner: z.string().openapi({ description: "User of the conversation", example: "alice" }),
  messages: z.array(Message).openapi({ description: "Messages of this page, oldest first" }),
  limit: z.int().openapi({ description: "Maximum number of messages", example: 50 }),
  offset: z.int().openapi({ description: "Number of skipped messages", example: 0 }),
}).openapi("AiConversation", { description: "Conversation with a page of its messages" });
export const Title = z.object({
  title: z.string().trim().min(1).max(200).openapi({
    description: "New title",
    example: "Open orders by region",
  }),
}).strict()
  .openapi("AiConversationTitle", { description: "New title of a conversation" });
