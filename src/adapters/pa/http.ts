import { Buffer } from "node:buffer";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
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
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * One exchange on a connection of its own, without redirects; fails with a `PaError` that says whether the request can
 * have had an effect. Not `fetch`: where a kept connection dies before its answer, a runtime's `fetch` may send a POST
 * again by itself, and an invoice would be submitted twice.
 */
export async function exchange(call: Call): Promise<Answer> {
  if (call.signal?.aborted) {
    throw new PaError(`${call.peer}: given up before sending`, {
      outcome: "not-sent",
      errorCode: "ABORTED",
    });
  }
  const timeout = AbortSignal.timeout(call.timeoutMs);
  const signal = AbortSignal.any([timeout, ...(call.signal ? [call.signal] : [])]);
  try {
    return await send(call, signal);
  } catch (error) {
    if (error instanceof PaError) throw error;
    throw lost(
      call,
      call.signal?.aborted ? "ABORTED" : timeout.aborted ? "TIMEOUT" : codeOf(error),
    );
  }
}

function send(call: Call, signal: AbortSignal): Promise<Answer> {
  const request = call.url.startsWith("https:") ? httpsRequest : httpRequest;
  const body = call.body === undefined ? undefined : Buffer.from(call.body);
  const length = body === undefined ? {} : { "content-length": body.length };
  return new Promise((resolve, reject) => {
    const headers = { ...call.headers, ...length };
    const sent = request(call.url, { method: call.method, headers, signal, agent: false });
    sent.on("error", reject);
    sent.on("response", (response) => receive(call, response).then(resolve, reject));
    sent.end(body);
  });
}

async function receive(call: Call, response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > call.maxBytes) throw tooLarge(call, status);
    chunks.push(chunk);
  }
  if (!response.complete) throw new Error("The answer is cut short");
  return { status, headers: headersOf(response), bytes: new Uint8Array(Buffer.concat(chunks)) };
}

function headersOf(response: IncomingMessage): ReadonlyMap<string, string> {
  const entries = Object.entries(response.headers);
  return new Map(entries.map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
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
]);

function lost(call: Call, code: string): PaError {
  const never = NEVER_CONNECTED.has(code) || /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
  const outcome: PaOutcome = never ? "not-sent" : "ambiguous";
  const sentence = code === "TIMEOUT"
    ? `no answer within ${call.timeoutMs} ms`
    : `no answer (${code})`;
  return new PaError(`${call.peer}: ${sentence}`, { outcome, errorCode: code });
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "CONNECTION_LOST";
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
