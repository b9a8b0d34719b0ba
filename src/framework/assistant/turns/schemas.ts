import { z } from "@hono/zod-openapi";
import { DECISIONS, FINISH_REASONS } from "../conversations/message.ts";
import { ToolCall, Usage } from "../conversations/schemas.ts";

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,62}$/;

export const TurnBody = z.object({
  conversation_id: z.uuid().optional().openapi({
    description: "Conversation to continue; default: a new one",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  message: z.string().trim().min(1).max(50_000).optional().openapi({
    description: "Message of the user; it denies calls that wait for an approval",
    example: "How many orders are open?",
  }),
  model: z.string().min(1).max(200).optional().openapi({
    description: "Configured model; default: the model of the conversation, or the first one",
    example: "small",
  }),
  app: z.string().regex(NAME).optional().openapi({
    description: "App of the menus in which a new conversation starts",
    example: "sales",
  }),
  approvals: z.array(
    z.object({
      tool_call_id: z.string().min(1).max(100).openapi({
        description: "Identifier of the call",
        example: "call_1",
      }),
      decision: z.enum(DECISIONS).openapi({
        description: "`allow` runs the call once, as shown",
        example: "allow",
      }),
    }).strict().openapi("AiDecision", { description: "Decision about a tool call" }),
  ).max(64).optional().openapi({ description: "Decisions about calls that wait for an approval" }),
}).strict().openapi("AiTurn", { description: "Turn of a conversation" });
export const TurnQuery = z.object({
  stream: z.enum(["true", "false"]).default("true").openapi({
    description: "`false` returns one JSON answer at the end instead of events",
  }),
});
export const TurnAnswer = z.object({
  conversation_id: z.string().openapi({
    description: "Conversation of the turn",
    example: "4f6b1e1e-6d5c-4a51-9c4d-1f3e0b8a7c55",
  }),
  message_id: z.string().nullable().openapi({
    description: "Last message of the turn; null without one",
    example: "0f8fad5b-d9cb-469f-a165-70867728950e",
  }),
  message: z.string().openapi({
    description: "Text of the turn",
    example: "12 orders are open.",
  }),
  tool_calls: z.array(ToolCall).openapi({ description: "Tool calls in their order" }),
  usage: Usage,
  finish_reason: z.enum(FINISH_REASONS).openapi({
    description: "Reason for the end of the turn; `pending_approval` when calls wait for the user",
    example: "stop",
  }),
}).openapi("AiAnswer", { description: "Answer of the assistant to a turn" });

export const Models = z.object({
  models: z.array(z.string()).openapi({
    description: "Names for `model` of a turn; the first one is the default",
    example: ["small", "large"],
  }),
}).openapi("AiModels", { description: "Configured language models" });
