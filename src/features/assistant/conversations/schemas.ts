import { z } from "@hono/zod-openapi";
import { windowed, windowQuery } from "#src/http/list.ts";
import { orNull } from "#src/http/wire.ts";
import { CONFIRMATIONS } from "../tools/mod.ts";
import { CALL_STATES, DECISIONS, FINISH_REASONS } from "./message.ts";

export const ConversationPath = z.object({
  id: z.uuid().openapi({ description: "Id of a conversation of the caller" }),
});
export const ConversationPage = windowQuery({ limit: 50, most: 100 });

const Share = z.object({
  created_at: z.string(),
  expires_at: z.string(),
  include_results: z.boolean(),
}).openapi("AiShareState");

const summary = {
  id: z.string(),
  title: z.string(),
  app: z.string().nullable(),
  model: z.string(),
  message_count: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
};
const Summary = z.object({
  ...summary,
  turn_under_way: z.boolean(),
  share: orNull(Share),
}).openapi("AiConversationSummary");
export const Conversations = z.object({
  items: z.array(Summary),
  ...windowed,
}).openapi("AiConversations");

export const ToolResult = z.object({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.unknown())),
  row_count: z.int(),
  truncated: z.boolean(),
  about: z.record(z.string(), z.unknown()).optional(),
}).openapi("AiToolResult");
const Approval = z.object({
  by: z.string(),
  at: z.string(),
  decision: z.enum(DECISIONS),
}).openapi("AiApproval");
export const ToolCall = z.object({
  type: z.literal("tool_call"),
  id: z.string(),
  tool: z.string(),
  permission: z.string().nullable(),
  confirm: z.enum(CONFIRMATIONS),
  arguments: z.record(z.string(), z.unknown()),
  state: z.enum(CALL_STATES),
  approval: orNull(Approval),
  started_at: z.string().nullable(),
  duration_ms: z.int().nullable(),
  result: orNull(ToolResult),
  error: z.string().nullable(),
}).openapi("AiToolCall");
export const TextPart = z.object({ type: z.literal("text"), text: z.string() }).openapi("AiText");
export const Usage = z.object({ input_tokens: z.int(), output_tokens: z.int() }).openapi("AiUsage");
export const Message = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  parts: z.array(z.union([TextPart, ToolCall])),
  usage: Usage.nullable(),
  finish_reason: z.enum(FINISH_REASONS).nullable(),
  created_at: z.string(),
}).openapi("AiMessage");
export const Conversation = Summary.extend({
  owner: z.string(),
  messages: z.array(Message),
  limit: z.int(),
  offset: z.int(),
}).openapi("AiConversation");
export const Title = z.object({ title: z.string().trim().min(1).max(200) }).strict()
  .openapi("AiConversationTitle");
