import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Language } from "#src/kernel/language.ts";
import type { Log } from "#src/ports/log.ts";
import type { Telemetry } from "#src/ports/telemetry.ts";
import { readAddress, untrustedProxyNote } from "./address.ts";
import type { Audit, HttpEnv, Once } from "./env.ts";
import type { Family } from "./envelope.ts";
import type { Access } from "./guard.ts";
import type { Intake } from "./intake.ts";
import type { CountWrite } from "./daily_usage.ts";
import { chooseLanguage, getDefaultLanguage } from "./language.ts";

/** Ids of proxies and tracers, limited to characters that are safe in logs and headers. */
const REQUEST_ID = /^[\w.:=+/@-]{1,128}$/;

/** Name of the log entry that each call writes. */
export const ACCESS_EVENT = "http.request";

interface CallContext {
  readonly access: Access;
  readonly audit?: Audit | undefined;
  readonly log: Log;
  readonly once?: Once | undefined;
  readonly countWrite?: CountWrite | undefined;
  readonly intake: Intake;
  readonly trustedProxies: number;
  /** The installation's language. */
  readonly language: Language;
  readonly familyOf: (c: Context<HttpEnv>) => Family;
  readonly routeOf: (c: Context<HttpEnv>) => string | undefined;
  readonly telemetry?: Pick<Telemetry, "request"> | undefined;
}

/** Fills the context of every route and writes one log entry per call. */
export function context(
  { access, audit, countWrite, log, once, intake, trustedProxies, language, ...given }: CallContext,
) {
  const { familyOf, routeOf, telemetry } = given;
  const noteUntrusted = untrustedProxyNote({ log, trustedProxies });
  return createMiddleware<HttpEnv>(async (c, next) => {
    const given = c.req.header("x-request-id") ?? "";
    const requestId = REQUEST_ID.test(given) ? given : crypto.randomUUID();
    c.set("access", access);
    c.set("audit", audit);
    c.set("log", log);
    c.set("once", once);
    c.set("countWrite", countWrite);
    c.set("intake", intake);
    c.set("family", familyOf(c));
    c.set("requestId", requestId);
    c.set("address", readAddress(c, trustedProxies));
    noteUntrusted(c);
    c.set("defaultLanguage", getDefaultLanguage(c.var.family, language));
    c.set("language", chooseLanguage(c));
    c.header("X-Request-Id", requestId);
    const start = performance.now();
    const work = () => log.within(requestId, next);
    if (telemetry) await telemetry.request(getCall(c), work, () => recordAnswer(c, routeOf(c)));
    else await work();
    const ms = Math.round(performance.now() - start);
    const { method, route, status } = { method: getMethod(c), ...recordAnswer(c, routeOf(c)) };
    log.info(ACCESS_EVENT, { requestId, method, route, status, ms });
  });
}

function getCall(c: Context<HttpEnv>) {
  return { method: getMethod(c), traceparent: c.req.header("traceparent") };
}

/** Records the call under its route, because callers choose paths freely. */
function recordAnswer(c: Context<HttpEnv>, route = "none") {
  return { route, status: c.res.status };
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Returns the method; callers may invent any word as a method. */
function getMethod(c: Context<HttpEnv>): string {
  return METHODS.has(c.req.method) ? c.req.method : "OTHER";
}
