import { computeSha256 } from "#src/kernel/sha256.ts";
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { Hono, type Next } from "hono";
import { toMessage } from "#src/kernel/errors.ts";
import { isLoopbackHost } from "#src/kernel/url.ts";
import { adminRoutes } from "./admin_routes.ts";
import { directoryRoutes } from "./directory_routes.ts";
import { misbehave } from "./fault_middleware.ts";
import { flowRoutes } from "./flow_routes.ts";
import {
  bodyText,
  isRefusal,
  type SandboxContext,
  type SandboxEnv,
  type Services,
} from "./http_context.ts";
import { flowsPage } from "./page.ts";
import { now } from "./pa.ts";
import { readSubmission } from "./submission.ts";
import { webhookRoutes } from "./webhook_routes.ts";
import { fail } from "./wire.ts";

const MAX_BODY = 101 * 1024 * 1024;
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** Builds the HTTP app. Every request of a client is flushed to the journal before its answer is sent. */
export function sandboxApp(services: Services): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.use((context, next) => underOwnName(services, context, next));
  app.use(async (context, next) => {
    const body = await readBody(context);
    if (!body) return fail(context, 413, { message: "Provided file is too big" });
    context.set("body", body);
    await next();
    await services.pa.journal.settled();
  });
  app.use("/sandbox/*", notFromPages);
  app.route("/sandbox", adminRoutes(services));
  app.get("/", (context) => context.html(flowsPage(services), 200, HEADERS));
  for (const path of ["/oauth2/token", "/flow-service/*", "/directory-service/*"]) {
    app.use(path, (context, next) => recordCall(services, context, next));
  }
  app.post("/oauth2/token", (context) => token(services, context));
  app.use("/flow-service/*", (context, next) => authorizeCall(services, context, next));
  app.use("/directory-service/*", (context, next) => authorizeCall(services, context, next));
  app.route("/flow-service", flowRoutes(services));
  app.route("/flow-service", webhookRoutes(services));
  app.route("/directory-service", directoryRoutes(services));
  app.notFound((context) => fail(context, 404, { message: "Requested resource is Not Found" }));
  app.onError((error, context) => {
    services.pa.log?.error("sandbox.request.failed", {
      path: context.req.path,
      why: toMessage(error),
    });
    return fail(context, 500, { message: "Internal error" });
  });
  return app;
}

/** Returns the body, or undefined if it is too long. */
async function readBody(context: SandboxContext): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of context.env.incoming) {
    size += chunk.length;
    if (size > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Refuses unknown host names, against DNS rebinding: an attacker's name may resolve to this machine. */
async function underOwnName(
  { names }: Services,
  context: SandboxContext,
  next: Next,
): Promise<Response | void> {
  const host = context.req.header("host") ?? "";
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (isLoopbackHost(host) || names.includes(name)) return await next();
  const shown = JSON.stringify(host.slice(0, 100));
  return fail(context, 403, { message: `The sandbox PA does not answer as ${shown}` });
}

/**
 * Refuses calls of web pages, so that no page steers the simulator through its visitor's browser. Our own page has no
 * script.
 */
async function notFromPages(context: SandboxContext, next: Next): Promise<Response | void> {
  const origin = context.req.header("origin");
  if (origin !== undefined) {
    return fail(context, 403, { message: `Origin ${origin} is not welcome` });
  }
  await next();
  for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
}

async function recordCall(
  services: Services,
  context: SandboxContext,
  next: Next,
): Promise<Response | void> {
  const { pa } = services;
  const operation = getOperation(context.req.method, context.req.path);
  const body = context.get("body");
  const submission = operation === "submit"
    ? await readSubmission(body, {
      contentType: context.req.header("content-type") ?? "",
      openFacturX: pa.openFacturX,
    })
    : undefined;
  const read = submission && !isRefusal(submission) ? submission : undefined;
  const id = randomUUID();
  context.set("submission", submission);
  context.set("recordId", id);
  pa.journal.append({
    kind: "request",
    at: now(pa),
    id,
    method: context.req.method,
    path: context.req.path,
    operation,
    requestId: context.req.header("request-id"),
    organizationId: context.req.header("organization-id"),
    size: body.length,
    sha256: read && computeSha256(read.bytes),
    trackingId: read?.trackingId,
    invoiceNumber: read?.facts.invoice?.number,
  });
  await pa.journal.settled();
  const response = isWithinQuota(services, operation)
    ? await misbehave(services, context, { operation, next })
    : fail(context, 429, { message: "Too many requests", headers: { "retry-after": "1" } });
  const status = (response ?? context.res).status;
  pa.journal.append({ kind: "answer", at: now(pa), id, status });
  return response;
}

function isWithinQuota({ pa, quota }: Services, operation: string): boolean {
  return operation === "token" || quota.take(pa.personality.callsPerSecond);
}

function getOperation(method: string, path: string): string {
  if (path === "/oauth2/token") return "token";
  if (path.startsWith("/directory-service/")) return "directory";
  if (path.endsWith("/healthcheck")) return "health";
  if (path.includes("/v1/webhooks")) return "webhooks";
  if (path.endsWith("/v1/flows/search")) return "search";
  return method === "POST" ? "submit" : "get";
}

async function authorizeCall(
  services: Services,
  context: SandboxContext,
  next: Next,
): Promise<Response | void> {
  if (services.tokens.accepts(context.req.header("authorization"))) return await next();
  return fail(context, 401, {
    message: "A valid bearer token is required",
    headers: { "www-authenticate": "Bearer" },
  });
}

function token(services: Services, context: SandboxContext): Response {
  const form = new URLSearchParams(bodyText(context));
  if (form.get("grant_type") !== "client_credentials") {
    return context.json({ error: "unsupported_grant_type" }, 400);
  }
  const granted = services.tokens.grant(form, context.req.header("authorization"));
  return granted ? context.json(granted) : context.json({ error: "invalid_client" }, 401);
}
