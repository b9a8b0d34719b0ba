import type { IncomingMessage } from "node:http";
import { AppError } from "#src/kernel/errors.ts";
import { connect, type Outgoing } from "./connect.ts";

interface Exchange extends Omit<Outgoing, "addresses" | "signal"> {
  /**
   * Resolves the addresses to connect to, within the time of the exchange. Without it the system resolves the
   * name.
   */
  readonly addresses?: (() => Promise<readonly string[]>) | undefined;
  /** Milliseconds for everything, from the resolution of the name to the last byte. */
  readonly timeoutMs: number;
  /** Ends the exchange early. */
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes: number;
}

/** Complete answer. */
export interface HttpExchangeAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Bytes as received; the caller decompresses them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Reason for the end of an exchange.
 * - `interrupted`: this process gave up, so the effect at the peer is unknown.
 * - `late`: no complete answer in time.
 * - `too-large`: more than `maxBytes`.
 * - `cut-short`: the answer broke off.
 * - `unreachable`: the name does not exist, or nothing listens there.
 * - `lost`: the connection failed.
 */
export type ExchangeEnd =
  | "interrupted"
  | "late"
  | "too-large"
  | "cut-short"
  | "unreachable"
  | "lost";

/** The answer did not arrive completely; `end` is the reason. */
export class ExchangeFailed extends Error {
  override readonly name = "ExchangeFailed";
  readonly end: ExchangeEnd;
  /** Code of the system or the TLS library, for `unreachable` and `lost`. */
  readonly code: string | undefined;
  /** Status of an answer that had begun. */
  readonly status: number | undefined;
  /** Nothing can have reached the peer. */
  readonly isUnsent: boolean;

  constructor(
    end: ExchangeEnd,
    facts: { code?: string | undefined; status?: number; isUnsent?: boolean; cause?: unknown } = {},
  ) {
    super(facts.code ?? end, { cause: facts.cause });
    this.end = end;
    this.code = facts.code;
    this.status = facts.status;
    this.isUnsent = facts.isUnsent ?? false;
  }
}

/**
 * Makes one request and reads its whole answer. It uses its own connection, follows no redirects and limits time
 * and size. Throws `ExchangeFailed`; an `AppError` of `addresses` is thrown unchanged.
 */
export async function exchange(call: Exchange): Promise<HttpExchangeAnswer> {
  if (call.signal?.aborted) throw new ExchangeFailed("interrupted", { isUnsent: true });
  const late = AbortSignal.timeout(call.timeoutMs);
  const signal = AbortSignal.any([late, ...call.signal ? [call.signal] : []]);
  try {
    return await inTime(send(call, signal), signal);
  } catch (error) {
    if (error instanceof AppError || error instanceof ExchangeFailed) throw error;
    if (call.signal?.aborted) throw new ExchangeFailed("interrupted", { cause: error });
    if (late.aborted) throw new ExchangeFailed("late", { cause: error });
    const code = getCode(error);
    if (NOBODY_THERE.has(code)) {
      throw new ExchangeFailed("unreachable", { code, isUnsent: true, cause: error });
    }
    throw new ExchangeFailed("lost", { code, isUnsent: isUntrusted(code), cause: error });
  }
}

async function send(call: Exchange, signal: AbortSignal): Promise<HttpExchangeAnswer> {
  const addresses = await call.addresses?.();
  signal.throwIfAborted();
  const response = await connect({ ...call, addresses, signal });
  try {
    const bytes = await readBody(response, call.maxBytes);
    return { status: response.statusCode ?? 0, headers: getHeaders(response), bytes };
  } finally {
    response.destroy();
  }
}

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const status = response.statusCode ?? 0;
  let bytes = new Uint8Array(0);
  let size = 0;
  for await (const chunk of response) {
    if (size + chunk.length > maxBytes) throw new ExchangeFailed("too-large", { status });
    if (size + chunk.length > bytes.length) {
      const announced = Number(response.headers["content-length"]) || 0;
      bytes = growBuffer(
        bytes,
        Math.max(size + chunk.length, 2 * size, Math.min(announced, maxBytes)),
      );
    }
    bytes.set(chunk, size);
    size += chunk.length;
  }
  if (!response.complete) throw new ExchangeFailed("cut-short", { status });
  return bytes.subarray(0, size);
}

function growBuffer(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
}

function getHeaders(response: IncomingMessage): ReadonlyMap<string, string> {
  const entries = Object.entries(response.headers);
  return new Map(entries.map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
}

/** Resolving a name cannot be aborted, so it is not waited for. */
async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {});
  let stop = () => {};
  const over = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

const NOBODY_THERE: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Checks for a certificate error; certificates are verified before anything is sent. */
function isUntrusted(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
}

function getCode(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "CONNECTION_LOST";
}
