import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import { timed } from "#src/adapters/telemetry/timed.ts";
import { PaError } from "#src/ports/pa.ts";
import {
  type Answer,
  exchange as exchangeOnce,
  type ExchangeEnd,
  ExchangeFailed,
} from "../http/exchange.ts";
import { reachable, type Resolve, systemResolve } from "../http/reach.ts";

/** Which addresses a PA may have; a template does not say so, for whoever writes one would scan the network with it. */
export interface PaReach {
  /** Hosts that may lie in a private network: `name` or `name:port`. */
  readonly privateHosts: readonly string[];
  readonly resolve?: Resolve;
}
/** A PA may have public addresses only. */
export const PUBLIC: PaReach = { privateHosts: [] };

/** A request to a PA. */
export interface Call {
  /** Who is called, for sentences. */
  readonly peer: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly reach: PaReach;
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
export function exchange(call: Call): Promise<Answer> {
  const { peer, method } = call;
  return timed({
    name: `PA ${method}`,
    metric: "passerelle_pa_call_duration_seconds",
    labels: { peer, method },
    outcome: (result) => "value" in result ? String(result.value.status) : failure(result.error),
  }, () => ask(call));
}

function failure(error: unknown): string {
  return error instanceof PaError ? error.errorCode ?? error.outcome : "failed";
}

async function ask(call: Call): Promise<Answer> {
  const url = parseUrl(call.url);
  if (!url) throw new PaError(say`${call.peer}: its address is none`, { outcome: "not-sent" });
  try {
    return await exchangeOnce({ ...call, url, addresses: () => addressesOf(url, call.reach) });
  } catch (error) {
    if (isNowhere(error)) throw unreachable(call, error);
    if (!(error instanceof ExchangeFailed)) throw error;
    const { status: httpStatus, isUnsent } = error;
    throw new PaError(say`${call.peer}: ${sentenceOf(call, error)}`, {
      outcome: isUnsent ? "not-sent" : "ambiguous",
      httpStatus,
      errorCode: error.code ?? CODES[error.end],
    });
  }
}

function addressesOf(url: URL, { privateHosts, resolve = systemResolve }: PaReach) {
  const reach = { hosts: [url.hostname.replace(/^\[|\]$/g, "").toLowerCase()], privateHosts };
  return reachable(url, { reach, resolve });
}

/** There is no such name, nobody listens there, or calls may not go there. */
function isNowhere(error: unknown): boolean {
  return error instanceof AppError ||
    error instanceof ExchangeFailed && error.end === "unreachable";
}

/** One sentence for all of these: whoever sets the address must not learn from it what there is in the network. */
function unreachable({ peer }: Call, cause: unknown): PaError {
  return new PaError(
    say`${peer} cannot be reached; an address in a private network must be listed in PA_PRIVATE_HOSTS`,
    { outcome: "not-sent", errorCode: "UNREACHABLE", cause },
  );
}

/** Of failures that have no code of the system. */
const CODES: Readonly<Record<ExchangeEnd, string>> = {
  "interrupted": "ABORTED",
  "late": "TIMEOUT",
  "too-large": "ANSWER_TOO_LARGE",
  "cut-short": "CONNECTION_LOST",
  "unreachable": "UNREACHABLE",
  "lost": "CONNECTION_LOST",
};

function sentenceOf(
  { timeoutMs, maxBytes }: Call,
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

/** The start of an answer, printable and without secrets. */
export function excerptOf(bytes: Uint8Array, secrets: readonly string[]): string {
  const text = new TextDecoder().decode(bytes).replaceAll(/\p{C}+/gu, " ");
  return withoutSecrets(text, secrets).slice(0, EXCERPT).toWellFormed().trim();
}

/** Secrets as they are, and as a JSON text may hold them, whose slashes some write escaped. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.filter((it) => it !== "").flatMap((it) => [it, it.replaceAll("/", "\\/")])
    .reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
}
