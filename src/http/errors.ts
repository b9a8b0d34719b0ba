import type { Context, ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { said, saidIn, say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { HttpEnv } from "./env.ts";

const STATUS = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported: 415,
  refused: 422,
  throttled: 429,
  upstream: 502,
  unavailable: 503,
} as const satisfies Record<ErrorCode, ContentfulStatusCode>;

/** One failure, three envelopes: each API family keeps the shape its clients know. */
export const ENVELOPE = {
  invoicing: (message: string) => ({ success: false as const, error: message }),
  framework: (message: string) => ({ detail: message }),
  database: (message: string) => ({ status: "failed" as const, message }),
};
export type Family = keyof typeof ENVELOPE;

/** The only place where a failure becomes an HTTP status, and where a bug is logged. */
export const onError: ErrorHandler<HttpEnv> = (error, c) => {
  const envelope = ENVELOPE[c.var.family];
  if (error instanceof AppError) {
    const status = STATUS[error.code];
    if (status === 401) c.header("WWW-Authenticate", "Bearer");
    const retryAfter = error.retryAfter ?? (status === 503 || status === 429 ? 5 : undefined);
    if (error.code === "stale") c.header("ETag", String(error.details["etag"]));
    if (retryAfter !== undefined) c.header("Retry-After", String(Math.ceil(retryAfter)));
    return c.json({ ...envelope(spoken(error.sentence, c)), ...spokenDetails(error, c) }, status);
  }
  if (error instanceof HTTPException) {
    return c.json(
      envelope(spoken(error.status === 400 ? UNREADABLE : say`${error.message}`, c)),
      error.status,
    );
  }
  if (isDatabaseDown(error)) {
    c.var.log.error("database.unreachable", { path: c.req.path, error });
    c.header("Retry-After", "5");
    return c.json(envelope(spoken(say`The database cannot be reached`, c)), 503);
  }
  c.var.log.error("http.unhandled", { path: c.req.path, requestId: c.var.requestId, error });
  return c.json(envelope(spoken(say`Internal error (request ${c.var.requestId})`, c)), 500);
};

/** The validator's own: what was sent as JSON is none. */
const UNREADABLE = say`Malformed JSON in request body`;

/** In the language of the call. */
export function spoken(sentence: Sentence, c: Context<HttpEnv>): string {
  return said(sentence, c.var.language);
}

function spokenDetails({ details }: AppError, c: Context<HttpEnv>): object {
  return saidIn({ ...details }, c.var.language) as object;
}

const DOWN = new Set([
  "ECONNREFUSED",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "57P01", // admin shutdown
  "57P02", // crash shutdown
  "57P03", // cannot connect now
]);

function isDatabaseDown(error: unknown): boolean {
  for (let it: unknown = error; it instanceof Error; it = it.cause) {
    if ("code" in it && DOWN.has(String(it.code))) return true;
  }
  return false;
}
