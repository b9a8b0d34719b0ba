import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { translated } from "#src/http/errors.ts";
import { windowOf, windowQuery } from "#src/http/list.ts";
import { KB } from "#src/http/intake.ts";
import { body, Done, done, failing, json, newRouter, route, signedBody } from "#src/http/router.ts";
import { checkPa } from "./health.ts";
import { PaHealth, Registered, WebhookPath, WebhookRegistration, Webhooks } from "./schemas.ts";
import { receiveWebhookCall, registerWebhook, removeWebhook, showWebhooks } from "./webhooks.ts";

const PA = ["PA"];

const health = route({
  method: "get",
  operationId: "getPaHealth",
  path: "/api/pa/health",
  "x-permission": "invoices:read",
  tags: PA,
  summary: "Ask the PA how it is; 200 also when it does not answer",
  responses: {
    200: json(PaHealth, "What was found"),
  },
});

const list = route({
  method: "get",
  operationId: "listWebhooks",
  path: "/api/pa/webhooks",
  "x-permission": "invoices:read",
  tags: PA,
  summary: "Webhooks registered at the PA",
  request: { query: windowQuery() },
  responses: { 200: json(Webhooks, "The webhooks, oldest first") },
});
const register = route({
  method: "post",
  operationId: "registerWebhook",
  "x-audit": "webhook.registered",
  path: "/api/pa/webhooks",
  "x-permission": "templates:write",
  tags: PA,
  summary: "Ask the PA to call this product when a flow changes, beside the polling",
  request: { body: body(WebhookRegistration) },
  responses: { 200: json(Registered, "The PA will call") },
});
const remove = route({
  method: "delete",
  operationId: "deleteWebhook",
  "x-audit": "webhook.deleted",
  path: "/api/pa/webhooks/{webhookId}",
  "x-permission": "templates:write",
  tags: PA,
  summary: "Take a webhook back",
  request: { params: WebhookPath },
  responses: { 200: json(Done, "The PA will not call any more") },
});
const call = route({
  method: "post",
  operationId: "receiveWebhookCall",
  "x-audit": false,
  path: "/api/pa/webhook",
  "x-permission": "public",
  tags: PA,
  summary: "Called by the PA; proves itself by `Afnor-Signature`, and only makes a reading due",
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
export function paRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(health, async (c) => {
      const { error, ...found } = await checkPa(deps, c.req.raw.signal);
      return c.json({ ...found, ...error && { error: translated(error, c) } }, 200);
    })
    .openapi(list, async (c) => {
      const { rows, about } = windowOf(await showWebhooks(deps), c.req.valid("query"));
      return c.json({ webhooks: rows, ...about }, 200);
    })
    .openapi(register, async (c) => {
      const webhookId = await registerWebhook(deps, c.req.valid("json").callbackUrl, c.var.actor);
      return c.json({ ...done, webhookId }, 200);
    })
    .openapi(remove, async (c) => {
      await removeWebhook(deps, c.req.valid("param").webhookId, c.var.actor);
      return c.json(done, 200);
    })
    .openapi(call, async (c) => {
      const headers = c.req.valid("header");
      const payload = c.var.body ?? new Uint8Array();
      await receiveWebhookCall(deps, {
        payload,
        signature: headers["afnor-signature"],
        timestamp: headers["afnor-signature-timestamp"],
      });
      return c.json(done, 200);
    });
}
