import { z } from "@hono/zod-openapi";

export const EndpointPath = z.object({
  connector: z.string().openapi({
    description: "Name of the connector in the settings",
    example: "fx",
  }),
  endpoint: z.string().openapi({ description: "Name of the endpoint", example: "latest" }),
});
export const EndpointParams = z.record(z.string(), z.unknown()).openapi("EndpointParams", {
  description: "Parameters of the endpoint by name",
  example: { base: "EUR" },
});
export const EndpointAnswer = z.object({
  status: z.int().openapi({ description: "HTTP status of the service", example: 200 }),
  ok: z.boolean().openapi({
    description: "True when the endpoint treats the status as a success",
    example: true,
  }),
  data: z.unknown().openapi({
    description: "Body of the answer: JSON, or text for another format",
    example: { "rates": { "USD": 1.09 } },
  }),
  items: z.array(z.unknown()).optional().openapi({
    description: "List that `response.items` selects",
    example: [{ currency: "USD" }],
  }),
  value: z.unknown().optional().openapi({
    description: "Value that `response.value` selects",
    example: 1.09,
  }),
  outputs: z.record(z.string(), z.unknown()).openapi({
    description: "Values that `response.map` selects, by name",
    example: { usd: "1.09" },
  }),
  duration_ms: z.int().openapi({
    description: "Duration of the call with its retries, in milliseconds",
    example: 42,
  }),
  cached: z.boolean().openapi({
    description: "True when the answer comes from the cache",
    example: false,
  }),
}).openapi("EndpointAnswer", { description: "Answer of an HTTP service" });

export const EndpointTest = z.object({
  connector: z.string().max(100).openapi({
    description: "Connector of the settings that makes the call",
    example: "fx",
  }),
  endpoint: z.record(z.string(), z.unknown()).openapi({
    description: "Definition of the endpoint, as in the settings",
    example: { path: "/latest" },
  }),
  params: z.record(z.string(), z.unknown()).default({}).openapi({
    description: "Parameters by name",
    example: { base: "EUR" },
  }),
  write: z.boolean().default(false).openapi({
    description: "True to call methods other than GET and HEAD",
    example: false,
  }),
}).strict().openapi("EndpointTest", { description: "Endpoint to test" });
