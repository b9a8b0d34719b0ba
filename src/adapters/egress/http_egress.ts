import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { parseUrl } from "#src/kernel/url.ts";
import type { Egress, EgressAnswer, EgressRequest } from "#src/ports/egress.ts";
import { connect } from "./connect.ts";
import { reachable, type Resolve, systemResolve } from "./reach.ts";

export function httpEgress(options: { resolve?: Resolve } = {}): Egress {
  const resolve = options.resolve ?? systemResolve;
  return {
    async send(request) {
      const url = parsed(request.url);
      const late = AbortSignal.timeout(request.timeoutMs);
      const signal = AbortSignal.any([late, ...request.signal ? [request.signal] : []]);
      try {
        return await inTime(exchange(request, { url, resolve, signal }), signal);
      } catch (error) {
        if (error instanceof AppError) throw error;
        throw late.aborted ? tooLate(url, request.timeoutMs) : failed(url, error, request.secrets);
      }
    },
  };
}

async function exchange(
  request: EgressRequest,
  { url, resolve, signal }: { url: URL; resolve: Resolve; signal: AbortSignal },
): Promise<EgressAnswer> {
  const addresses = await reachable(url, { reach: request.reach, resolve });
  const headers = { "accept-encoding": "gzip, deflate, br", ...request.headers };
  const response = await connect({ ...request, url, headers, addresses, signal });
  try {
    const bytes = await received(response, request.maxBytes);
    return { status: response.statusCode ?? 0, headers: headersOf(response), bytes };
  } finally {
    response.destroy();
  }
}

async function received(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  if (!response.complete) throw new AppError("upstream", "The answer is cut short");
  return await unpacked(Buffer.concat(chunks), {
    encoding: String(response.headers["content-encoding"] ?? "identity").trim().toLowerCase(),
    maxBytes,
  });
}

const UNPACK = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** A small answer that unpacks to a large one is as large as it unpacks. */
async function unpacked(
  bytes: Buffer,
  { encoding, maxBytes }: { encoding: string; maxBytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === "identity" || encoding === "" || !bytes.length) return new Uint8Array(bytes);
  if (!Object.hasOwn(UNPACK, encoding)) {
    throw new AppError("upstream", "The answer is packed in a way that was not asked for");
  }
  try {
    const unpack = UNPACK[encoding as keyof typeof UNPACK];
    return new Uint8Array(await unpack(bytes, { maxOutputLength: maxBytes }));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new AppError("upstream", "The answer cannot be unpacked", { cause: error });
  }
}

function headersOf(response: IncomingMessage): ReadonlyMap<string, string> {
  const entries = Object.entries(response.headers);
  return new Map(entries.map(([name, value]) => [name, [value ?? ""].flat().join(", ")]));
}

function parsed(text: string): URL {
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  throw new AppError("refused", "The address is not one of http or https without credentials");
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

function tooLarge(maxBytes: number): AppError {
  return new AppError("upstream", `The answer is larger than ${maxBytes} bytes`);
}

function tooLate(url: URL, timeoutMs: number): AppError {
  return new AppError("upstream", `${url.hostname} did not answer within ${timeoutMs / 1000} s`, {
    details: { timeout: true },
  });
}

function failed(url: URL, error: unknown, secrets: readonly string[]): AppError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const why = secrets.filter(Boolean).reduce(
    (text, secret) => text.replaceAll(secret, "***"),
    code || messageOf(error).slice(0, 200),
  );
  return new AppError("upstream", `${url.hostname} cannot be reached (${why})`, { cause: error });
}
