import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { KB } from "#src/http/intake.ts";
import { body, Done, done, failing, json, newRouter, route, signedBody } from "#src/http/router.ts";
import { checkPa } from "./health.ts";
import { PaHealth, Registered, WebhookPath, WebhookRegistration, Webhooks } from "./schemas.ts";
import { hearWebhook, registerWebhook, removeWebhook, showWebhooks } from "./webhooks.ts";

const PLATFORM = ["Platform"];

const health = route({
  method: "get",
  operationId: "getPaHealth",
  path: "/api/pa/health",
  "x-permission": "invoices:read",
  tags: PLATFORM,
  summary: "Ask the platform how it is; 200 also when it does not answer",
  responses: {
    200: json(PaHealth, "What was found"),
  },
});

const list = route({
  method: "get",
  operationId: "listWebhooks",
  path: "/api/pa/webhooks",
  "x-permission": "invoices:read",
  tags: PLATFORM,
  summary: "Webhooks registered at the platform",
  responses: { 200: json(Webhooks, "The webhooks, oldest first") },
});
const register = route({
  method: "post",
  operationId: "registerWebhook",
  path: "/api/pa/webhooks",
  "x-permission": "templates:write",
  tags: PLATFORM,
  summary: "Ask the platform to call this product when a flow changes, beside the polling",
  request: { body: body(WebhookRegistration) },
  responses: { 200: json(Registered, "The platform will call") },
});
const remove = route({
  method: "delete",
  operationId: "deleteWebhook",
  path: "/api/pa/webhooks/{webhookId}",
  "x-permission": "templates:write",
  tags: PLATFORM,
  summary: "Take a webhook back",
  request: { params: WebhookPath },
  responses: { 200: json(Done, "The platform will not call any more") },
});
const call = route({
  method: "post",
  operationId: "receiveWebhookCall",
  path: "/api/pa/webhook",
  "x-permission": "public",
  tags: PLATFORM,
  summary:
    "Called by the platform; proves itself by `Afnor-Signature`, and only makes a reading due",
  request: {
    body: signedBody({ limit: 64 * KB }),
    // Whoever registers the address may have put parameters of his own into it.
    query: z.looseObject({}),
    headers: z.object({
      "afnor-signature": z.string().max(200).optional(),
      "afnor-signature-timestamp": z.string().max(20).optional(),
    }),
  },
  responses: { 200: json(Done, "Heard"), ...failing(401) },
});

/** How the PA is, and its webhooks. */
export function platformRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(health, async (c) => c.json(await checkPa(deps, c.req.raw.signal), 200))
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
      const payload = c.var.body ?? new Uint8Array();
      await hearWebhook(deps, {
        payload,
        signature: headers["afnor-signature"],
        timestamp: headers["afnor-signature-timestamp"],
      });
      return c.json(done, 200);
    });
}
