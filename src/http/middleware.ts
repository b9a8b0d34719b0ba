import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import { AppError } from "#src/kernel/errors.ts";
import type { Log } from "#src/ports/log.ts";
import { addressOf } from "./address.ts";
import type { HttpEnv } from "./env.ts";
import type { Access } from "./guard.ts";

const REQUEST_ID = /^[\w-]{8,64}$/;
const MAX_JSON = 10 * 1024 * 1024;

/** What every route finds in its context, and one log line per call. */
export function context(
  { access, log, once, trustedProxies = 0 }: {
    access: Access;
    log: Log;
    once?: MiddlewareHandler<HttpEnv>;
    trustedProxies?: number;
  },
) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const given = c.req.header("x-request-id") ?? "";
    const requestId = REQUEST_ID.test(given) ? given : crypto.randomUUID();
    const lang = c.req.header("x-service-lang")?.toLowerCase();
    c.set("access", access);
    c.set("log", log);
    c.set("once", once);
    c.set("requestId", requestId);
    c.set("address", addressOf(c, trustedProxies));
    c.set("language", lang === "fr" || lang === "en" ? lang : undefined);
    c.header("X-Request-Id", requestId);
    const start = performance.now();
    await next();
    const ms = Math.round(performance.now() - start);
    log.debug("http.request", {
      requestId,
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms,
    });
  });
}

/** The API answers data, which no page may frame, sniff or run; the reference views run our own scripts only. */
export function securityHeaders() {
  const own = ["'self'"];
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: own,
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", "data:"],
      connectSrc: own,
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: own,
    },
    xFrameOptions: "DENY",
    referrerPolicy: "no-referrer",
    strictTransportSecurity: "max-age=31536000",
    crossOriginResourcePolicy: "same-origin",
    originAgentCluster: false,
  });
}

/** Bodies are bounded before they are read, and JSON is said to be JSON. Uploads have their own, streaming, limit. */
export function limits({ maxUploadBytes }: { maxUploadBytes: number }) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const type = c.req.header("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
    const isFile = type === "application/octet-stream" || type === "application/zip";
    const limit = isFile ? maxUploadBytes : MAX_JSON;
    const length = Number(c.req.header("content-length") ?? 0);
    if (length > limit) {
      throw new AppError("too_large", `The body has ${length} bytes; ${limit} are allowed`);
    }
    const hasBody = c.req.raw.body !== null && length !== 0 ||
      c.req.header("transfer-encoding") !== undefined;
    if (
      hasBody && ["POST", "PUT", "DELETE"].includes(c.req.method) && !isFile &&
      type !== "application/json"
    ) {
      throw new AppError(
        "unsupported",
        `The body is of type ${type || "unknown"}; ${expectedAt(c.req.path)} is expected`,
      );
    }
    if (hasBody && !isFile && !length) await boundUnsized(c.req.raw, limit);
    if (/^\/(api|admin|auth|ai)\//.test(c.req.path)) c.header("Cache-Control", "no-store");
    await next();
  });
}

/** The bytes of a file are sent to few routes; to all others JSON. */
function expectedAt(path: string): string {
  if (path === "/api/upload") return "application/octet-stream";
  return path === "/api/rules/install"
    ? "application/octet-stream, application/zip or application/json"
    : "application/json";
}

/** A body without a length is read as far as the limit before anything else does. */
async function boundUnsized(request: Request, limit: number): Promise<void> {
  const copy = request.clone().body;
  let read = 0;
  for await (const chunk of copy ?? []) {
    read += chunk.length;
    if (read > limit) throw new AppError("too_large", `The body has more than ${limit} bytes`);
  }
}
