import { isIP } from "node:net";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import { measureWork } from "#src/adapters/telemetry/measure_work.ts";
import { PaError } from "#src/ports/pa.ts";
import {
  exchange as exchangeOnce,
  type ExchangeEnd,
  ExchangeFailed,
  type HttpExchangeAnswer,
} from "../http/exchange.ts";
import { reachable } from "../http/reach.ts";
import { type Resolve, systemResolve } from "../http/resolve.ts";

/**
 * Addresses that a PA may have. Templates cannot extend them, since their authors could scan the network that
 * way.
 */
export interface PaOutbound {
  /** Hosts that may be in a private network: `name` or `name:port`. */
  readonly privateHosts: readonly string[];
  readonly resolve?: Resolve;
}
/** A PA may have public addresses only. */
export const PUBLIC: PaOutbound = { privateHosts: [] };

/** A request to a PA. */
export interface PaRequest {
  /** Name of the peer, for sentences and measurements. */
  readonly peer: string;
  /** Name of the peer in sentences, where it differs. */
  readonly title?: Sentence | undefined;
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly reach: PaOutbound;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly maxBytes: number;
  /** Texts that must not show in an error, whatever the peer echoes. */
  readonly secrets: readonly string[];
}

export type { HttpExchangeAnswer };

/** Returns the name of the peer for sentences. */
export function getTitle({ peer, title }: Pick<PaRequest, "peer" | "title">): Sentence | string {
  return title ?? peer;
}

/** Makes one exchange with a PA; fails with a `PaError` that shows whether the request may have had an effect. */
export function exchange(call: PaRequest): Promise<HttpExchangeAnswer> {
  const { peer, method } = call;
  return measureWork({
    name: `PA ${method}`,
    metric: "passerelle_pa_call_duration_seconds",
    labels: { peer, method },
    outcome: (result) => "value" in result ? String(result.value.status) : failure(result.error),
  }, () => ask(call));
}

function failure(error: unknown): string {
  return error instanceof PaError ? error.errorCode ?? error.outcome : "failed";
}

async function ask(call: PaRequest): Promise<HttpExchangeAnswer> {
  const url = parseUrl(call.url);
  if (!url) {
    throw new PaError(say`${getTitle(call)}: its address is invalid`, { outcome: "not-sent" });
  }
  try {
    return await exchangeOnce({ ...call, url, addresses: () => getAddresses(url, call.reach) });
  } catch (error) {
    if (isNowhere(error)) throw unreachable(call, { url, error });
    if (!(error instanceof ExchangeFailed)) throw error;
    const { status: httpStatus, isUnsent } = error;
    throw new PaError(say`${getTitle(call)}: ${formatSentence(call, error)}`, {
      outcome: isUnsent ? "not-sent" : "ambiguous",
      httpStatus,
      errorCode: error.code ?? CODES[error.end],
    });
  }
}

function getAddresses(url: URL, { privateHosts, resolve = systemResolve }: PaOutbound) {
  const reach = { hosts: [url.hostname.replace(/^\[|\]$/g, "").toLowerCase()] };
  return reachable(url, { reach, privateHosts, resolve });
}

/** Checks whether the host does not exist, does not listen or is forbidden. */
function isNowhere(error: unknown): boolean {
  return error instanceof AppError ||
    error instanceof ExchangeFailed && error.end === "unreachable";
}

/**
 * Returns the same sentence for unknown names and for names in a private network. The user who sets the address must
 * not learn which names exist there.
 */
function unreachable(call: PaRequest, { url, error }: { url: URL; error: unknown }): PaError {
  return new PaError(explainUnreachable(call, { url, error }), {
    outcome: "not-sent",
    errorCode: "UNREACHABLE",
    cause: error,
  });
}

function explainUnreachable(
  { peer, title }: PaRequest,
  { url, error }: { url: URL; error: unknown },
): Sentence {
  const who = title ?? (peer === url.host ? peer : `${url.host} (${peer})`);
  if (error instanceof ExchangeFailed) { // the address may be called
    return say`The server ${who} cannot be reached (${
      error.code ?? CODES[error.end]
    }): check its address and port`;
  }
  return isIP(url.hostname.replace(/^\[|\]$/g, ""))
    ? say`The server ${who} is in a private network: the operator must list it in PRIVATE_HOSTS`
    : say`The server ${who} cannot be found: check the name of the host; a host in a private network must be listed in PRIVATE_HOSTS`;
}

/** Error codes of failures without a system code. */
const CODES: Readonly<Record<ExchangeEnd, string>> = {
  "interrupted": "ABORTED",
  "late": "TIMEOUT",
  "too-large": "ANSWER_TOO_LARGE",
  "cut-short": "CONNECTION_LOST",
  "unreachable": "UNREACHABLE",
  "lost": "CONNECTION_LOST",
};

function formatSentence(
  { timeoutMs, maxBytes }: PaRequest,
  { end, code, isUnsent }: ExchangeFailed,
): Sentence {
  switch (end) {
    case "interrupted":
      return isUnsent ? say`given up before sending` : say`interrupted before the answer came`;
    case "late":
      return say`no answer within ${timeoutMs} ms`;
    case "too-large":
      return say`the answer is larger than ${maxBytes} bytes`;
    default:
      return say`no answer (${code ?? CODES[end]})`;
  }
}

const EXCERPT = 500;

/** Returns the start of an answer, printable and without secrets. */
export function createExcerpt(bytes: Uint8Array, secrets: readonly string[]): string {
  const text = new TextDecoder().decode(bytes).replaceAll(/\p{C}+/gu, " ");
  return withoutSecrets(text, secrets).slice(0, EXCERPT).toWellFormed().trim();
}

/** Removes secrets in plain form and in JSON form, where slashes may be escaped. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.filter((it) => it !== "").flatMap((it) => [it, it.replaceAll("/", "\\/")])
    .reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}
