import type { Context } from "hono";
import { cors } from "hono/cors";
import type { HttpEnv } from "./env.ts";

const SHOWN = [
  "ETag",
  "X-Request-Id",
  "Retry-After",
  "Location",
  "Content-Disposition",
  "WWW-Authenticate",
];

/** Returns whether the operator lists the origin of this call. A call with a cookie never counts. */
export function isListedOrigin(c: Context<HttpEnv>, origins: readonly string[]): boolean {
  const origin = c.req.header("origin");
  if (origin === undefined || c.req.header("cookie") !== undefined) return false;
  return origins.includes(origin) || origins.includes("*");
}

/**
 * Allows pages of the origins in `CORS_ORIGINS`. They send a token, so credentials of the browser are never allowed.
 */
export function crossOrigin(origins: readonly string[]) {
  return cors({
    origin: origins.includes("*") ? "*" : [...origins],
    exposeHeaders: SHOWN,
    maxAge: 600,
  });
}
