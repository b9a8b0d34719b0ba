import { isSentence, said, say, type Sentence } from "./sentences/sentence.ts";

/** What can go wrong, in the product's words. `http/errors.ts` alone decides the HTTP status of each. */
export type ErrorCode =
  | "invalid" // malformed body, parameter or filter
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "stale" // If-Match names an older version
  | "too_large"
  | "too_slow" // a body that does not come
  | "unsupported" // content type
  | "refused" // well-formed, but the product will not do it
  | "throttled"
  | "upstream" // a peer failed
  | "unavailable"; // a dependency of ours is down or not configured

export interface AppErrorOptions extends ErrorOptions {
  /** Seconds after which a retry makes sense; becomes `Retry-After`. */
  readonly retryAfter?: number;
  /** The message in French, where it is not a `Sentence`. */
  readonly french?: string;
  /** Machine-readable facts beside the sentence; never secrets. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A failure the caller can act on; its message names the value that was wrong. Anything else thrown is a bug. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  /** The message with its values apart, for other languages. */
  readonly sentence: Sentence | undefined;
  readonly french: string | undefined;

  constructor(code: ErrorCode, message: string | Sentence, options: AppErrorOptions = {}) {
    super(isSentence(message) ? said(message) : message, options);
    this.code = code;
    this.french = options.french;
    this.sentence = isSentence(message) ? message : undefined;
    this.retryAfter = options.retryAfter;
    this.details = options.details ?? {};
  }
}

export function notFound(what: string, id: string): AppError {
  return new AppError("not_found", say`${what} ${id} does not exist`);
}

/** The sentence of any thrown value, for logs and stored reasons. */
export function messageOf(error: unknown): string {
  const said = causeOf(error);
  return said instanceof Error ? said.message : String(said);
}

/** A failed query's own message holds the statement and its values, which are nobody's to read: its cause tells. */
export function causeOf(error: unknown): unknown {
  const isQuery = error instanceof Error && "query" in error && "params" in error;
  return isQuery && error.cause instanceof Error ? error.cause : error;
}
