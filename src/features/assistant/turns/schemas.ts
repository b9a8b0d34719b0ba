import { z } from "@hono/zod-openapi";
import { DECISIONS, FINISH_REASONS } from "../conversations/message.ts";
import { ToolCall, Usage } from "../conversations/schemas.ts";

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,62}$/;

export const TurnBody = z.object({
  conversation_id: z.uuid().optional(),
  message: z.string().trim().min(1).max(50_000).optional(),
  model: z.string().min(1).max(200).optional(),
  app: z.string().regex(NAME).optional(),
  approvals: z.array(
    z.object({
      tool_call_id: z.string().min(1).max(100),
      decision: z.enum(DECISIONS),
    }).strict().openapi("AiDecision"),
  ).max(64).optional(),
}).strict().openapi("AiTurn");
export const TurnQuery = z.object({
  stream: z.enum(["true", "false"]).default("true").openapi({
    description: "`false`: one JSON answer at the end in place of events",
  }),
});
export const TurnAnswer = z.object({
  conversation_id: z.string(),
  message_id: z.string().nullable(),
  message: z.string(),
  tool_calls: z.array(ToolCall),
  usage: Usage,
  finish_reason: z.enum(FINISH_REASONS),
}).openapi("AiAnswer");

export const Models = z.object({
  models: z.array(z.string()).openapi({
    description: "What `model` of a turn may be; the first one where it is left out",
    example: ["small", "large"],
  }),
}).openapi("AiModels");
