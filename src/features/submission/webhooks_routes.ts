import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { body, Done, done, failures, json, newRouter, route } from "#src/http/router.ts";
import { Registered, WebhookPath, WebhookRegistration, Webhooks } from "./lifecycle_schemas.ts";
import { hearWebhook, registerWebhook, removeWebhook, showWebhooks } from "./webhooks.ts";

const PLATFORM = ["Platform"];

const list = route({
  method: "get",
  path: "/api/pa/webhooks",
  "x-permission": "invoices:read",
  tags: PLATFORM,
  summary: "Webhooks registered at the platform",
  responses: { 200: json(Webhooks, "The webhooks, oldest first"), ...failures },
});
const register = route({
  method: "post",
  path: "/api/pa/webhooks",
  "x-permission": "templates:write",
  tags: PLATFORM,
  summary: "Ask the platform to call this product when a flow changes, beside the polling",
  request: { body: body(WebhookRegistration) },
  responses: { 200: json(Registered, "The platform will call"), ...failures },
});
const remove = route({
  method: "delete",
  path: "/api/pa/webhooks/{webhookId}",
  "x-permission": "templates:write",
  tags: PLATFORM,
  summary: "Take a webhook back",
  request: { params: WebhookPath },
  responses: { 200: json(Done, "The platform will not call any more"), ...failures },
});
const call = route({
  method: "post",
  path: "/api/pa/webhook",
  "x-permission": "public",
  tags: PLATFORM,
  summary:
    "Called by the platform; proves itself by `Afnor-Signature`, and only makes a reading due",
  request: {
    headers: z.object({
      "afnor-signature": z.string().max(200).optional(),
      "afnor-signature-timestamp": z.string().max(20).optional(),
    }),
  },
  responses: { 200: json(Done, "Heard"), ...failures },
});

export function webhookRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(list, async (c) => c.json({ webhooks: await showWebhooks(deps) }, 200))
    .openapi(register, async (c) => {
      const webhookId = await registerWebhook(deps, c.req.valid("json").callbackUrl);
      return c.json({ ...done, webhookId }, 200);
    })
    .openapi(remove, async (c) => {
      await removeWebhook(deps, c.req.valid("param").webhookId);
      return c.json(done, 200);
    })
    .openapi(call, async (c) => {
      const headers = c.req.valid("header");
      const payload = new Uint8Array(await c.req.arrayBuffer());
      await hearWebhook(deps, {
        payload,
        signature: headers["afnor-signature"],
        timestamp: headers["afnor-signature-timestamp"],
      });
      return c.json(done, 200);
    });
}
