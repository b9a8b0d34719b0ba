import { parseUrl } from "#src/kernel/url.ts";
import { PaError } from "#src/ports/pa.ts";
import {
  type Answer,
  exchange as exchangeOnce,
  type ExchangeEnd,
  ExchangeFailed,
} from "../http/exchange.ts";

export interface Call {
  /** Who is called, for sentences. */
  readonly peer: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes: number;
  /** Texts that must not show in an error, whatever the peer echoes. */
  readonly secrets: readonly string[];
}

export type { Answer };

/** One exchange with a PA; fails with a `PaError` that says whether the request can have had an effect. */
export async function exchange(call: Call): Promise<Answer> {
  const url = parseUrl(call.url);
  if (!url) throw new PaError(`${call.peer}: its address is none`, { outcome: "not-sent" });
  try {
    return await exchangeOnce({ ...call, url });
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    const { status: httpStatus, isUnsent } = error;
    throw new PaError(`${call.peer}: ${sentenceOf(call, error)}`, {
      outcome: isUnsent ? "not-sent" : "ambiguous",
      httpStatus,
      errorCode: error.code ?? CODES[error.end],
    });
  }
}

/** Of failures that have no code of the system. */
const CODES: Readonly<Record<ExchangeEnd, string>> = {
  "interrupted": "ABORTED",
  "late": "TIMEOUT",
  "too-large": "ANSWER_TOO_LARGE",
  "cut-short": "CONNECTION_LOST",
  "lost": "CONNECTION_LOST",
};

function sentenceOf(
  { timeoutMs, maxBytes }: Call,
  { end, code, isUnsent }: ExchangeFailed,
): string {
  switch (end) {
    case "interrupted":
      return isUnsent ? "given up before sending" : "interrupted before the answer came";
    case "late":
      return `no answer within ${timeoutMs} ms`;
    case "too-large":
      return `the answer is larger than ${maxBytes} bytes`;
    default:
      return `no answer (${code ?? CODES[end]})`;
  }
}

const EXCERPT = 500;

/** The start of an answer, printable and without secrets. */
export function excerptOf(bytes: Uint8Array, secrets: readonly string[]): string {
  const text = new TextDecoder().decode(bytes).replaceAll(/\p{C}+/gu, " ");
  const safe = secrets.reduce(
    (rest, secret) => secret === "" ? rest : rest.replaceAll(secret, "***"),
    text,
  );
  return safe.slice(0, EXCERPT).trim();
}
