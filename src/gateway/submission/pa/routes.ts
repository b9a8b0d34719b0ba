import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { translateFor } from "#src/http/errors.ts";
import { toWindow, windowQuery } from "#src/http/list.ts";
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
  summary: "Check the PA",
  description: "For operators. The status is 200 even when the PA does not answer.",
  responses: {
    200: json(PaHealth, "Availability of the PA"),
  },
});

const list = route({
  method: "get",
  operationId: "listWebhooks",
  path: "/api/pa/webhooks",
  "x-permission": "invoices:read",
  tags: PA,
  summary: "List webhooks",
  description: "For administrators of the PA connection.",
  request: { query: windowQuery() },
  responses: { 200: json(Webhooks, "Webhooks, oldest first") },
});
const register = route({
  method: "post",
  operationId: "registerWebhook",
  "x-audit": "webhook.registered",
  path: "/api/pa/webhooks",
  "x-permission": "templates:write",
  tags: PA,
  summary: "Register a webhook",
  description:
    "For administrators of the PA connection. The PA then reports changed flows, in addition to polling.",
  request: { body: body(WebhookRegistration) },
  responses: { 200: json(Registered, "The webhook is registered") },
});
const remove = route({
  method: "delete",
  operationId: "deleteWebhook",
  "x-audit": "webhook.deleted",
  path: "/api/pa/webhooks/{webhookId}",
  "x-permission": "templates:write",
  tags: PA,
  summary: "Delete a webhook",
  description: "For administrators of the PA connection. The product still polls the PA.",
  request: { params: WebhookPath },
  responses: { 200: json(Done, "The webhook was deleted") },
});
const call = route({
  method: "post",
  operationId: "receiveWebhookCall",
  "x-audit": false,
  path: "/api/pa/webhook",
  "x-permission": "public",
  tags: PA,
  summary: "Receive a webhook call",
  description:
    "For the PA, which signs the call with `Afnor-Signature`. The call only triggers a reading of flows.",
  request: {
    body: signedBody({ limit: 64 * KB }),
    // The person who registered the address may have added query parameters.
    query: z.looseObject({}),
    headers: z.object({
      "afnor-signature": z.string().max(200).optional().openapi({
        description: "Signature of the call (AFNOR XP Z12-013)",
        example: "sha256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      }),
      "afnor-signature-timestamp": z.string().max(20).optional().openapi({
        description: "Time of the signature in seconds since 1970",
        example: "1795168200",
      }),
    }),
  },
  responses: { 200: json(Done, "The call was received"), ...failing(401) },
});

/** Routes for the health of the PA and its webhooks. */
export function paRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(health, async (c) => {
      const { error, succeededAt, failingSince, ...found } = await checkPa(
        deps,
        c.req.raw.signal,
      );
      return c.json({
        ...found,
        ...error && { error: translateFor(error, c) },
        ...succeededAt && { succeededAt: succeededAt.toISOString() },
        ...failingSince && { failingSince: failingSince.toISOString() },
      }, 200);
    })
    .openapi(list, async (c) => {
      const { rows, about } = toWindow(await showWebhooks(deps), c.req.valid("query"));
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
