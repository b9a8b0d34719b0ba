import { z } from "@hono/zod-openapi";
import { CONFIRMATIONS, TOOL_KINDS, TOOL_MODES } from "./tool.ts";

export const Tool = z.object({
  name: z.string().openapi({
    description: "Name of the tool for the model",
    example: "sql__erp__orders",
  }),
  title: z.string().openapi({ description: "Title of the tool for people", example: "Orders" }),
  description: z.string().openapi({
    description: "Purpose of the tool",
    example: "Orders of one company, newest first",
  }),
  permission: z.string().openapi({
    description: "Permission code required for a call",
    example: "sql:erp:orders",
  }),
  kind: z.enum(TOOL_KINDS).openapi({
    description:
      "`sql` for a query, `http` for an endpoint, `product` for an action of the product",
    example: "sql",
  }),
  mode: z.enum(TOOL_MODES).openapi({
    description: "`write` when the tool changes data",
    example: "read",
  }),
  confirm: z.enum(CONFIRMATIONS).openapi({
    description:
      "Approval by the user: `always`, `never`, or `ask` after the conversation read data",
    example: "never",
  }),
  input_schema: z.record(z.string(), z.unknown()).openapi({
    description: "JSON Schema of the input, without values that come from the caller",
    example: {
      type: "object",
      properties: { status: { type: "array", items: { type: "string" } } },
    },
  }),
}).openapi("AiTool", { description: "Tool that the assistant may call for the caller" });
export const Tools = z.array(Tool).openapi("AiTools", {
  description: "Tools of the assistant by name",
});
