import { z } from "@hono/zod-openapi";

const name = z.string().min(1).max(100);

export const ConnectorQuery = z.object({
  name: name.optional().openapi({
    description: "Name of a connector template; default: the connectors of the settings",
    example: "crm",
  }),
});
export const CallQuery = z.object({
  name: name.openapi({
    description: "Name of the connector template or connector",
    example: "crm",
  }),
  endpoint: name.openapi({
    description: "Endpoint of an HTTP connector, or query of a SQL connector",
    example: "companies",
  }),
});
export const CallBody = z.object({
  params: z.record(z.string().max(100), z.unknown()).default({}).openapi({
    description: "Parameters of the endpoint or query by name",
    example: { siret: "78467169500087" },
  }),
}).strict().openapi("ConnectorCall", { description: "Parameters of a connector call" });

export const Endpoints = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  endpoints: z.array(
    z.object({
      name: z.string().openapi({ description: "Name of the endpoint", example: "companies" }),
      label: z.string().openapi({ description: "Label of the endpoint", example: "Companies" }),
      url: z.string().openapi({
        description: "Address; `{name}` stands for a parameter",
        example: "https://crm.example/companies/{siret}",
      }),
      method: z.string().openapi({ description: "HTTP method", example: "GET" }),
      headers: z.string().openapi({
        description: "Request headers, one per line",
        example: "Accept: application/json",
      }),
      body: z.string().openapi({ description: "Request body with placeholders", example: "" }),
      responseField: z.string().openapi({
        description: "Path of the extracted value in the answer",
        example: "data.name",
      }),
      description: z.string().openapi({
        description: "Purpose of the endpoint",
        example: "Company by SIRET",
      }),
      params: z.string().openapi({
        description: "Parameters, separated by `|`",
        example: "siret|SIRET",
      }),
    }).openapi({ description: "Endpoint of a connector template" }),
  ).openapi({ description: "Endpoints of the template" }),
}).openapi("ConnectorEndpoints", { description: "Endpoints of a connector template" });

export const CallAnswer = z.object({
  success: z.boolean().openapi({ description: "True when the HTTP status is below 400" }),
  statusCode: z.int().openapi({ description: "HTTP status of the service", example: 200 }),
  requestUrl: z.string().openapi({
    description: "Called address with masked secrets",
    example: "https://crm.example/companies/78467169500087",
  }),
  body: z.string().openapi({ description: "Body of the answer", example: '{"name":"Helios"}' }),
  extractedValue: z.unknown().openapi({
    description: "Value that `responseField` selects; null without one",
    example: "Helios",
  }),
  error: z.string().optional().openapi({
    description: "Reason why the call failed",
    example: "The service does not answer",
  }),
}).openapi("ConnectorAnswer", { description: "Answer of a connector" });

export const ConnectorPath = z.object({
  name: name.openapi({ description: "Name of the connector in the settings", example: "erp" }),
});
export const ConnectorShown = z.object({
  name: z.string().openapi({
    description: "Name of the connector in the settings",
    example: "erp",
  }),
  type: z.enum(["sql", "http"]).openapi({
    description: "`sql` for a database, `http` for an HTTP service",
    example: "sql",
  }),
  label: z.string().openapi({ description: "Label of the connector", example: "ERP" }),
  description: z.string().optional().openapi({
    description: "Purpose of the connector",
    example: "Commandes de l'ERP",
  }),
  status: z.enum(["available", "unavailable", "misconfigured"]).openapi({
    description:
      "`unavailable` when the database or service does not answer, `misconfigured` when the settings are invalid",
    example: "available",
  }),
  calls: z.array(
    z.object({
      name: z.string().openapi({ description: "Name of the query or endpoint", example: "orders" }),
      label: z.string().openapi({ description: "Label of the call", example: "Commandes" }),
      description: z.string().optional().openapi({
        description: "Purpose of the call",
        example: "Commandes d'une société",
      }),
      permission: z.string().openapi({
        description: "Permission code required for the call",
        example: "sql:erp:orders",
      }),
      mode: z.enum(["read", "write", "call"]).openapi({
        description: "`read` or `write` for a query, `call` for an endpoint",
        example: "read",
      }),
      params: z.array(
        z.object({
          name: z.string().openapi({ description: "Name of the parameter", example: "status" }),
          type: z.string().openapi({ description: "Type of the value", example: "array<string>" }),
          required: z.boolean().openapi({
            description: "True when the parameter is required",
            example: false,
          }),
          label: z.string().openapi({ description: "Label of the parameter", example: "Statut" }),
          enum: z.array(z.string()).optional().openapi({
            description: "Allowed values",
            example: ["open", "closed"],
          }),
          lookup: z.string().optional().openapi({
            description: "Lookup of the dictionary whose values are allowed",
            example: "order_status",
          }),
        }).openapi({ description: "Parameter of a call" }),
      ).openapi({ description: "Parameters of the call" }),
      columns: z.array(
        z.object({
          name: z.string().openapi({ description: "Name of the column", example: "order_no" }),
          type: z.string().optional().openapi({
            description: "Type of the values",
            example: "string",
          }),
        }).openapi({ description: "Column of a result" }),
      ).openapi({ description: "Columns of the result, when the settings declare them" }),
    }).openapi("NamedCall", { description: "Named query or endpoint" }),
  ).openapi({ description: "Queries or endpoints that the caller may call" }),
}).openapi("Connector", { description: "Connector with its calls" });
export const Connectors = z.object({
  connectors: z.array(ConnectorShown).openapi({
    description: "Connectors with at least one allowed call",
  }),
}).openapi("Connectors", { description: "Connectors with the calls that the caller may make" });
