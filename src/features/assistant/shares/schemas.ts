import { z } from "@hono/zod-openapi";
import { CALL_STATES } from "../conversations/message.ts";
import { TextPart, ToolResult } from "../conversations/schemas.ts";
import { DEFAULT_DAYS, MOST_DAYS } from "./share_conversation.ts";
import { orNull } from "#src/http/wire.ts";

export const ShareBody = z.object({
  include_results: z.boolean().default(false),
  expires_in_days: z.int().min(1).max(MOST_DAYS).default(DEFAULT_DAYS),
}).strict().openapi("AiShareRequest");
export const ShareLink = z.object({
  token: z.string(),
  path: z.string(),
  include_results: z.boolean(),
  created_at: z.string(),
  expires_at: z.string(),
}).openapi("AiShareLink");
/** Its token is a secret: it stands in a header, which servers in between do not log, as they do addresses. */
export const SharedHeader = z.object({
  "x-share-token": z.string().min(1).max(100).openapi({
    description: "What stands behind the `#` of the link",
  }),
});

const SharedCall = z.object({
  type: z.literal("tool_call"),
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  state: z.enum(CALL_STATES),
  result: orNull(ToolResult),
}).openapi("AiSharedCall");
const SharedMessage = z.object({
  role: z.enum(["user", "assistant"]),
  parts: z.array(z.union([TextPart, SharedCall])),
  created_at: z.string(),
}).openapi("AiSharedMessage");
export const Shared = z.object({
  title: z.string(),
  created_at: z.string(),
  messages: z.array(SharedMessage),
  shared_at: z.string(),
  expires_at: z.string(),
}).openapi("AiSharedConversation");
