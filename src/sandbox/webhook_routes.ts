import { randomBytes, randomUUID } from "node:crypto";
import { Hono } from "hono";
import { z } from "zod";
import { parseObject, readAs } from "./input.ts";
import { bodyText, type SandboxContext, type SandboxEnv, type Services } from "./http_context.ts";
import { now, write } from "./pa.ts";
import { fail, webhookJson } from "./wire.ts";

const ADDRESS = "callbackUrl must be an http or https address";

const WebhookBody = z.looseObject({
  callbackUrl: z.unknown().refine(isWebAddress, ADDRESS),
  flowTypes: z.array(z.string()).default([]),
  flowDirection: z.string().optional(),
  ackStatus: z.string().optional(),
});

function isWebAddress(value: unknown): value is string {
  return typeof value === "string" && /^https?:/i.test(value) && URL.canParse(value);
}

/** Serves Flow Service: webhooks. */
export function webhookRoutes(services: Services): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.get("/v1/webhooks", (context) => {
    const webhooks = [...services.pa.state.webhooks.values()].map(webhookJson);
    return context.json({ count: webhooks.length, webhooks });
  });
  app.post("/v1/webhooks", (context) => register(services, context));
  app.delete("/v1/webhooks/:webhookId", (context) => {
    const webhookId = context.req.param("webhookId");
    if (!services.pa.state.webhooks.has(webhookId)) {
      return fail(context, 404, { message: "Requested resource is Not Found" });
    }
    write(services.pa, { kind: "webhook-removed", at: now(services.pa), webhookId });
    return context.body(null, 204);
  });
  return app;
}

function register(services: Services, context: SandboxContext): Response {
  const body = readAs(WebhookBody, parseObject(bodyText(context)) ?? {}, "a webhook");
  if (typeof body === "string") return fail(context, 400, { message: body });
  const createdAt = now(services.pa);
  const webhook = {
    webhookId: randomUUID(),
    callbackUrl: body.callbackUrl,
    flowTypes: body.flowTypes,
    flowDirection: body.flowDirection,
    ackStatus: body.ackStatus,
    signingKey: randomBytes(32).toString("base64"),
    createdAt,
  };
  write(services.pa, { kind: "webhook", at: createdAt, webhook });
  const { webhookId, signingKey } = webhook;
  return context.json({ webhookId, signingKey, createdAt }, 201);
}
