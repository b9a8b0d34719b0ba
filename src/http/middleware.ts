import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { Log } from "#src/ports/log.ts";
import type { Telemetry } from "#src/ports/telemetry.ts";
import { addressOf, untrustedProxyNote } from "./address.ts";
import type { Audit, HttpEnv } from "./env.ts";
import type { Family } from "./envelope.ts";
import type { Access } from "./guard.ts";
import type { Intake } from "./intake.ts";
import { languageOf } from "./language.ts";

const REQUEST_ID = /^[\w-]{8,64}$/;

interface CallContext {
  readonly access: Access;
  readonly audit?: Audit | undefined;
  readonly log: Log;
  readonly once?: MiddlewareHandler<HttpEnv> | undefined;
  readonly intake: Intake;
  readonly trustedProxies: number;
  readonly familyOf: (c: Context<HttpEnv>) => Family;
  readonly routeOf: (c: Context<HttpEnv>) => string | undefined;
  readonly telemetry?: Pick<Telemetry, "request"> | undefined;
}

/** What every route finds in its context, and one log line per call. */
export function context(
  { access, audit, log, once, intake, trustedProxies, familyOf, routeOf, telemetry }: CallContext,
) {
  const noteUntrusted = untrustedProxyNote({ log, trustedProxies });
  return createMiddleware<HttpEnv>(async (c, next) => {
    const given = c.req.header("x-request-id") ?? "";
    const requestId = REQUEST_ID.test(given) ? given : crypto.randomUUID();
    c.set("access", access);
    c.set("audit", audit);
    c.set("log", log);
    c.set("once", once);
    c.set("intake", intake);
    c.set("family", familyOf(c));
    c.set("requestId", requestId);
    c.set("address", addressOf(c, trustedProxies));
    noteUntrusted(c);
    c.set("language", languageOf(c));
    c.header("X-Request-Id", requestId);
    const start = performance.now();
    const work = () => log.within(requestId, next);
    if (telemetry) await telemetry.request(callOf(c), work, () => answered(c, routeOf(c)));
    else await work();
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

function callOf(c: Context<HttpEnv>) {
  return { method: methodOf(c), traceparent: c.req.header("traceparent") };
}

/** Of the route and never of the path, which anybody may choose. */
function answered(c: Context<HttpEnv>, route = "none") {
  return { route, status: c.res.status };
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** A method may be any word a caller makes up. */
function methodOf(c: Context<HttpEnv>): string {
  return METHODS.has(c.req.method) ? c.req.method : "OTHER";
}
