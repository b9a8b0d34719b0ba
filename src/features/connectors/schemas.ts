import { z } from "@hono/zod-openapi";

const name = z.string().min(1).max(100);

export const ConnectorQuery = z.object({
  name: name.optional().openapi({
    description: "Name of a connector's template; without it the connectors of the settings",
  }),
});
export const CallQuery = z.object({
  name: name.openapi({ description: "Name of the connector's template" }),
  endpoint: name.openapi({
    description: "Endpoint of an API connector, or query of an SQL connector",
  }),
});
export const CallBody = z.object({
  params: z.record(z.string().max(100), z.unknown()).default({}),
}).strict().openapi("ConnectorCall");

export const Endpoints = z.object({
  success: z.literal(true),
  endpoints: z.array(z.object({
    name: z.string(),
    label: z.string(),
    url: z.string(),
    method: z.string(),
    headers: z.string(),
    body: z.string(),
    responseField: z.string(),
    description: z.string(),
    params: z.string(),
  })),
}).openapi("ConnectorEndpoints");

export const CallAnswer = z.object({
  success: z.boolean().openapi({ description: "The HTTP status of the answer is below 400" }),
  statusCode: z.int(),
  requestUrl: z.string().openapi({ description: "Secrets are masked" }),
  body: z.string(),
  extractedValue: z.unknown().openapi({ description: "What `responseField` names, or null" }),
  error: z.string().optional(),
}).openapi("ConnectorAnswer");

export const ConnectorPath = z.object({
  name: name.openapi({ description: "Connector of the settings", example: "erp" }),
});
export const ConnectorShown = z.object({
  name: z.string(),
  type: z.enum(["sql", "http"]),
  label: z.string(),
  description: z.string().optional(),
  status: z.enum(["available", "unavailable", "misconfigured"]),
  calls: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      description: z.string().optional(),
      permission: z.string(),
      mode: z.enum(["read", "write", "call"]),
      params: z.array(z.object({
        name: z.string(),
        type: z.string(),
        required: z.boolean(),
        label: z.string(),
      })),
      columns: z.array(z.object({ name: z.string(), type: z.string().optional() })),
    }).openapi("NamedCall"),
  ),
}).openapi("Connector");
export const Connectors = z.object({ connectors: z.array(ConnectorShown) }).openapi("Connectors");
