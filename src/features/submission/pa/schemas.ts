import { z } from "@hono/zod-openapi";
import { windowed } from "#src/http/list.ts";
import { LONGEST_ID } from "#src/ports/pa.ts";

export const PaHealth = z.object({
  name: z.string(),
  reachable: z.boolean(),
  latencyMs: z.int().openapi({ description: "Until it answered, or was found not to" }),
  error: z.string().optional().openapi({ description: "Why it is not reachable" }),
  breaker: z.enum(["closed", "open", "trial"]).openapi({
    description:
      "`open`: it failed and nobody calls it for now · `trial`: one call finds out whether it answers again",
  }),
  retryInMs: z.int().optional().openapi({ description: "Until it is called again" }),
}).openapi("PaHealth");

export const WebhookRegistration = z.strictObject({
  callbackUrl: z.url({ protocol: /^https?$/ }).openapi({
    example: "https://erp.example.org/api/pa/webhook",
  }),
}).openapi("WebhookRegistration");
export const Webhooks = z.object({
  webhooks: z.array(z.object({
    webhookId: z.string(),
    callbackUrl: z.string(),
    createdAt: z.string(),
    lastCallAt: z.string().nullable(),
  })),
  ...windowed,
}).openapi("Webhooks");
export const Registered = z.object({ success: z.literal(true), webhookId: z.string() }).openapi(
  "WebhookRegistered",
);
export const WebhookPath = z.object({ webhookId: z.string().min(1).max(LONGEST_ID) });
