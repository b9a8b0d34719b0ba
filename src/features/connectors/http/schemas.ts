import { z } from "@hono/zod-openapi";

export const EndpointPath = z.object({
  connector: z.string().openapi({ description: "Connector of the settings", example: "fx" }),
  endpoint: z.string().openapi({ description: "Its endpoint", example: "latest" }),
});
export const EndpointParams = z.record(z.string(), z.unknown()).openapi("EndpointParams", {
  description: "Parameters of the endpoint by name",
  example: { base: "EUR" },
});
export const EndpointAnswer = z.object({
  status: z.int(),
  ok: z.boolean(),
  data: z.unknown(),
  items: z.array(z.unknown()).optional(),
  value: z.unknown().optional(),
  outputs: z.record(z.string(), z.unknown()),
  duration_ms: z.int(),
  cached: z.boolean(),
}).openapi("EndpointAnswer");

export const EndpointTest = z.object({
  connector: z.string().max(100),
  endpoint: z.record(z.string(), z.unknown()),
  params: z.record(z.string(), z.unknown()).default({}),
  write: z.boolean().default(false),
}).strict().openapi("EndpointTest");
