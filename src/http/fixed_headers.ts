import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./env.ts";

const POLICY = "Content-Security-Policy";

/**
 * Security headers from OWASP's list. No page may frame, sniff or run API answers; the API views run only our own
 * scripts.
 */
export const FIXED: readonly (readonly [name: string, value: string])[] = [
  [
    POLICY,
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "worker-src 'self' blob:", // search of the static API view
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ].join("; "),
  ],
  ["Cross-Origin-Opener-Policy", "same-origin"],
  ["Cross-Origin-Resource-Policy", "same-origin"],
  ["Referrer-Policy", "no-referrer"],
  ["Strict-Transport-Security", "max-age=31536000"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-DNS-Prefetch-Control", "off"],
  ["X-Download-Options", "noopen"],
  ["X-Frame-Options", "DENY"],
  ["X-Permitted-Cross-Domain-Policies", "none"],
  ["X-XSS-Protection", "0"],
  ["Cache-Control", "no-store"], // answers are not cached unless the route allows it
];

/** Adds the default headers to every answer; a page may have its own policy. */
export const fixedHeaders = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  const put = getPutter(c);
  for (const [name, value] of FIXED) put(name, value);
  if (c.var.policy) put(POLICY, c.var.policy);
});

/** Adds the default headers that the answer does not set itself, for answers outside the routes. */
export function withFixedHeaders(answer: Response): Response {
  for (const [name, value] of FIXED) {
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  }
  return answer;
}

/** Outgoing answer of the server's adapter. */
interface Outgoing {
  readonly headersSent: boolean;
  setHeader(name: string, value: string): unknown;
}

/**
 * Returns a function that sets a header. On the adapter's connection it is written there, and headers of the answer
 * override it. This is much faster than the answer's own `Headers`.
 */
function getPutter(c: Context<HttpEnv>): (name: string, value: string) => void {
  const { outgoing } = (c.env ?? {}) as { outgoing?: Outgoing };
  if (outgoing && !outgoing.headersSent) {
    return (name, value) => void outgoing.setHeader(name, value);
  }
  const { headers } = c.res; // `c.header` would create a new answer
  const said = new Set(headers.keys());
  return (name, value) => said.has(name.toLowerCase()) ? undefined : headers.set(name, value);
}
