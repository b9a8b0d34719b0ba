import { z } from "@hono/zod-openapi";
import { windowed } from "#src/http/list.ts";
import { MAX_ID_LENGTH } from "#src/ports/pa.ts";

export const PaHealth = z.object({
  name: z.string().openapi({ description: "Name of the PA", example: "afnor" }),
  reachable: z.boolean().openapi({ description: "True when the PA answers", example: true }),
  latencyMs: z.int().openapi({
    description: "Time until the PA answered or timed out, in milliseconds",
    example: 85,
  }),
  error: z.string().optional().openapi({
    description: "Reason why the PA is not available",
    example: "Connection refused",
  }),
  breaker: z.enum(["closed", "open", "trial"]).openapi({
    description:
      "`open`: no calls after failures. `trial`: one call tests the PA. `closed`: calls are sent",
  }),
  retryInMs: z.int().optional().openapi({
    description: "Time until the next call, in milliseconds",
    example: 30000,
  }),
  succeededAt: z.iso.datetime().optional().openapi({
    description: "Last time when the PA answered with the current settings, to the minute",
    example: "2026-11-28T08:00:00.000Z",
  }),
  failingSince: z.iso.datetime().optional().openapi({
    description: "Time of the first failure since then; absent while the PA works",
    example: "2026-11-28T08:00:00.000Z",
  }),
}).openapi("PaHealth", { description: "Availability of the PA" });

export const WebhookRegistration = z.strictObject({
  callbackUrl: z.url({ protocol: /^https?$/ }).openapi({
    example: "https://erp.example.org/api/pa/webhook",
    description: "Address that the PA calls",
  }),
}).openapi("WebhookRegistration", { description: "Webhook to register" });
export const Webhooks = z.object({
  webhooks: z.array(
    z.object({
      webhookId: z.string().openapi({ description: "Identifier of the webhook", example: "wh-1" }),
      callbackUrl: z.string().openapi({
        description: "Address that the PA calls",
        example: "https://passerelle.example/api/pa/webhook",
      }),
      createdAt: z.string().openapi({
        description: "Time of creation",
        example: "2026-11-20T09:30:00.000Z",
      }),
      lastCallAt: z.string().nullable().openapi({
        description: "Time of the last call by the PA; null without one",
        example: "2026-11-20T09:30:00.000Z",
      }),
      ofOtherPa: z.boolean().openapi({
        description:
          "True when it was registered at another PA than the current one: its calls are refused until it is registered again",
        example: false,
      }),
    }).openapi({ description: "Webhook registered at the PA" }),
  ).openapi({ description: "Webhooks, oldest first" }),
  ...windowed,
}).openapi("Webhooks", { description: "Webhooks registered at the PA" });
export const Registered = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  webhookId: z.string().openapi({ description: "Identifier of the webhook", example: "wh-1" }),
}).openapi(
  "WebhookRegistered",
  { description: "Registered webhook" },
);
export const WebhookPath = z.object({
  webhookId: z.string().min(1).max(MAX_ID_LENGTH).openapi({
    description: "Identifier of the webhook",
    example: "wh-1",
  }),
});
