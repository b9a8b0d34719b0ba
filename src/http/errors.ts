import type { Context, ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { say, type Sentence, translate, translateWithin } from "#src/kernel/sentences/sentence.ts";
import { isAway, takesNoWrites } from "#src/ports/db.ts";
import type { HttpEnv } from "./env.ts";
import { ENVELOPE } from "./envelope.ts";

/** Of each kind of failure. */
export const STATUS_OF = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  too_slow: 408,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported: 415,
  refused: 422,
  locked: 423,
  throttled: 429,
  misconfigured: 500,
  upstream: 502,
  unavailable: 503,
  overdue: 504,
} as const satisfies Record<ErrorCode, ContentfulStatusCode>;

const NO_WRITES =
  say`The database takes no changes: it is being moved to a server, or was moved and the product is to be started again, or its disk has no room left, or it is a copy for reading`;

/** What the database lacks of the schema this version works with, where that explains the error. */
export type SchemaLack = (error: Error) => Promise<Sentence | undefined>;

/** The only place where a failure becomes an HTTP status, and where a bug is logged. */
export const onError = (lackOf?: SchemaLack): ErrorHandler<HttpEnv> => async (error, c) => {
  const envelope = ENVELOPE[c.var.family];
  if (error instanceof AppError) {
    const status = STATUS_OF[error.code];
    if (status === 401) c.header("WWW-Authenticate", "Bearer");
    const retryAfter = error.retryAfter ?? (status === 503 || status === 429 ? 5 : undefined);
    if (error.code === "stale") c.header("ETag", String(error.details["etag"]));
    if (retryAfter !== undefined) c.header("Retry-After", String(Math.ceil(retryAfter)));
    return c.json(
      { ...envelope(translated(error.sentence, c)), ...translatedDetails(error, c) },
      status,
    );
  }
  if (error instanceof HTTPException) {
    return c.json(
      envelope(translated(error.status === 400 ? UNREADABLE : say`${error.message}`, c)),
      error.status,
    );
  }
  if (isAway(error)) {
    c.var.log.error("database.unreachable", { path: c.req.path, error });
    c.header("Retry-After", "5");
    const why = takesNoWrites(error) ? NO_WRITES : say`The database cannot be reached`;
    return c.json(envelope(translated(why, c)), 503);
  }
  const lack = await lackOf?.(error).catch(() => undefined);
  if (lack) {
    c.var.log.error("database.schema.older", { path: c.req.path, error });
    c.header("Retry-After", "60");
    return c.json(envelope(translated(lack, c)), 503);
  }
  c.var.log.error("http.unhandled", { path: c.req.path, requestId: c.var.requestId, error });
  return c.json(envelope(translated(say`Internal error (request ${c.var.requestId})`, c)), 500);
};

/** The validator's own: what was sent as JSON is none. */
const UNREADABLE = say`Malformed JSON in request body`;

/** In the language of the call. */
export function translated(sentence: Sentence, c: Context<HttpEnv>): string {
  return translate(sentence, c.var.language);
}

function translatedDetails({ details }: AppError, c: Context<HttpEnv>): object {
  return translateWithin({ ...details }, c.var.language) as object;
}
