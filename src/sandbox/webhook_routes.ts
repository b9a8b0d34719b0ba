import { randomBytes, randomUUID } from "node:crypto";
import { Hono } from "hono";
import { parseObject, textOf, textsOf } from "./input.ts";
import { bodyText, type Env, type Room, type SandboxContext } from "./http_context.ts";
import { now, write } from "./platform.ts";
import { fail, webhookJson } from "./wire.ts";

/** Flow Service: webhooks. */
export function webhookRoutes(room: Room): Hono<Env> {
  const app = new Hono<Env>();
  app.get("/v1/webhooks", (context) => {
    const webhooks = [...room.platform.state.webhooks.values()].map(webhookJson);
    return context.json({ count: webhooks.length, webhooks });
  });
  app.post("/v1/webhooks", (context) => register(room, context));
  app.delete("/v1/webhooks/:webhookId", (context) => {
    const webhookId = context.req.param("webhookId");
    if (!room.platform.state.webhooks.has(webhookId)) {
      return fail(context, 404, { message: "Requested resource is Not Found" });
    }
    write(room.platform, { kind: "webhook-removed", at: now(room.platform), webhookId });
    return context.body(null, 204);
  });
  return app;
}

function register(room: Room, context: SandboxContext): Response {
  const body = parseObject(bodyText(context));
  const callbackUrl = textOf(body?.["callbackUrl"]) ?? "";
  if (!body || !/^https?:/i.test(callbackUrl) || !URL.canParse(callbackUrl)) {
    return fail(context, 400, { message: "callbackUrl must be an http or https address" });
  }
  const createdAt = now(room.platform);
  const webhook = {
    webhookId: randomUUID(),
    callbackUrl,
    flowTypes: textsOf(body["flowTypes"]),
    flowDirection: textOf(body["flowDirection"]),
    ackStatus: textOf(body["ackStatus"]),
    signingKey: randomBytes(32).toString("base64"),
    createdAt,
  };
  write(room.platform, { kind: "webhook", at: createdAt, webhook });
  const { webhookId, signingKey } = webhook;
  return context.json({ webhookId, signingKey, createdAt }, 201);
}
