import { z } from "@hono/zod-openapi";
import { CONFIRMATIONS, TOOL_KINDS, TOOL_MODES } from "./tool.ts";

export const Tool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  permission: z.string(),
  kind: z.enum(TOOL_KINDS),
  mode: z.enum(TOOL_MODES),
  confirm: z.enum(CONFIRMATIONS),
  input_schema: z.record(z.string(), z.unknown()),
}).openapi("AiTool");
export const Tools = z.array(Tool).openapi("AiTools");
