import { readCapped } from "#src/kernel/capped_body.ts";
import { messageOf } from "#src/kernel/errors.ts";
import { PaError, type PaOutcome } from "#src/ports/pa.ts";

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

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** One exchange without redirects; fails with a `PaError` that says whether the request can have had an effect. */
export async function exchange(call: Call): Promise<Answer> {
  if (call.signal?.aborted) {
    throw new PaError(`${call.peer}: given up before sending`, {
      outcome: "not-sent",
      errorCode: "ABORTED",
    });
  }
  const limits = [AbortSignal.timeout(call.timeoutMs), ...(call.signal ? [call.signal] : [])];
  try {
    const response = await fetch(call.url, {
      method: call.method,
      headers: call.headers,
      redirect: "manual",
      signal: AbortSignal.any(limits),
      ...(call.body === undefined ? {} : { body: call.body }),
    });
    const bytes = await readCapped(response, call.maxBytes);
    if (bytes === undefined) throw tooLarge(call, response.status);
    return { status: response.status, headers: response.headers, bytes };
  } catch (error) {
    throw error instanceof PaError ? error : lost(call, error);
  }
}

function tooLarge(call: Call, httpStatus: number): PaError {
  return new PaError(`${call.peer}: the answer is larger than ${call.maxBytes} bytes`, {
    outcome: "ambiguous",
    httpStatus,
    errorCode: "ANSWER_TOO_LARGE",
  });
}

const NEVER_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function lost(call: Call, error: unknown): PaError {
  const code = lostCode(call, error);
  const outcome: PaOutcome = NEVER_CONNECTED.has(code) || code === "CONNECT"
    ? "not-sent"
    : "ambiguous";
  const sentence = code === "TIMEOUT"
    ? `no answer within ${call.timeoutMs} ms`
    : `no answer (${code})`;
  return new PaError(`${call.peer}: ${sentence}`, { outcome, errorCode: code });
}

/** Deno tells the phase of a failure in its sentence, Node the system's code in the cause. */
function lostCode(call: Call, error: unknown): string {
  if (call.signal?.aborted) return "ABORTED";
  if (error instanceof Error && error.name === "TimeoutError") return "TIMEOUT";
  const chain = causesOf(error);
  const code = chain.map((one) => codeOf(one)).find((one) => one !== undefined);
  if (code !== undefined) return code;
  const text = chain.map(messageOf).join(" ");
  if (/connection refused/i.test(text)) return "ECONNREFUSED";
  if (/dns error|failed to lookup/i.test(text)) return "ENOTFOUND";
  if (/client error \(Connect\)/i.test(text)) return "CONNECT";
  return "CONNECTION_LOST";
}

function causesOf(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one);
  return chain;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
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
