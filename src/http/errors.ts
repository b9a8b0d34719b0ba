import type { Context, ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { say, type Sentence, translate, translateWithin } from "#src/kernel/i18n/sentence.ts";
import { isAway, takesNoWrites } from "#src/ports/db.ts";
import type { HttpEnv } from "./env.ts";
import { ENVELOPE } from "./envelope.ts";

/** HTTP status of each kind of failure. */
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
  say`The database is read-only: its disk is full, it is a replica, or it is moving to a server. After a move, restart the product`;

/** Returns a sentence about missing schema parts of this version if they explain the error. */
export type SchemaLack = (error: Error) => Promise<Sentence | undefined>;

/** Converts a failure into an HTTP answer and logs bugs; no other code does this. */
export const onError = (lackOf?: SchemaLack): ErrorHandler<HttpEnv> => async (error, c) => {
  const envelope = ENVELOPE[c.var.family];
  if (error instanceof AppError) {
    const status = STATUS_OF[error.code];
    if (status === 401) c.header("WWW-Authenticate", "Bearer");
    const retryAfter = error.retryAfter ?? (status === 503 || status === 429 ? 5 : undefined);
    if (error.code === "stale") c.header("ETag", String(error.details["etag"]));
    if (retryAfter !== undefined) c.header("Retry-After", String(Math.ceil(retryAfter)));
    return c.json(
      { ...envelope(translateFor(addReason(error, c), c)), ...translatedDetails(error, c) },
      status,
    );
  }
  if (error instanceof HTTPException) {
    return c.json(
      envelope(translateFor(error.status === 400 ? UNREADABLE : say`${error.message}`, c)),
      error.status,
    );
  }
  if (isAway(error)) {
    c.var.log.error("database.unreachable", { path: c.req.path, error });
    c.header("Retry-After", "5");
    const why = takesNoWrites(error) ? NO_WRITES : say`The database cannot be reached`;
    return c.json(envelope(translateFor(why, c)), 503);
  }
  const lack = await lackOf?.(error).catch(() => undefined);
  if (lack) {
    c.var.log.error("database.schema.older", { path: c.req.path, error });
    c.header("Retry-After", "60");
    return c.json(envelope(translateFor(lack, c)), 503);
  }
  c.var.log.error("http.unhandled", { path: c.req.path, requestId: c.var.requestId, error });
  return c.json(envelope(translateFor(say`Internal error (request ${c.var.requestId})`, c)), 500);
};

/** Adds the technical cause for callers who may change the pools. */
function addReason({ sentence, reason }: AppError, c: Context<HttpEnv>): Sentence {
  const { access, actor } = c.var;
  const maySee = reason !== undefined && actor !== undefined &&
    access.allows(actor, "settings:pools");
  return maySee ? say`${sentence}: ${reason}` : sentence;
}

/** Message of the validator for a body that is not JSON. */
const UNREADABLE = say`Malformed JSON in request body`;

/** Formats a sentence in the language of the call. */
export function translateFor(sentence: Sentence, c: Context<HttpEnv>): string {
  return translate(sentence, c.var.language);
}

function translatedDetails({ details }: AppError, c: Context<HttpEnv>): object {
  return translateWithin({ ...details }, c.var.language) as object;
}
