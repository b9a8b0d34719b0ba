import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { timed } from "#src/adapters/telemetry/timed.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import type { Egress, EgressRequest } from "#src/ports/egress.ts";
import { exchange, ExchangeFailed } from "../http/exchange.ts";
import { reachable, type Resolve, systemResolve } from "../http/reach.ts";

/** Calls to addresses that users configure, over HTTP; `resolve` stands in for the system's resolver. */
export function httpEgress(options: { resolve?: Resolve } = {}): Egress {
  const resolve = options.resolve ?? systemResolve;
  const send: Egress["send"] = async (request) => {
    const url = parsed(request.url);
    try {
      const answer = await exchange({
        ...request,
        url,
        headers: { "accept-encoding": "gzip, deflate, br", ...request.headers },
        addresses: () => reachable(url, { reach: request.reach, resolve }),
      });
      const encoding = answer.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
      return { ...answer, bytes: await unpacked(answer.bytes, { encoding, ...request }) };
    } catch (error) {
      throw error instanceof ExchangeFailed ? failureOf(url, request, error) : error;
    }
  };
  return {
    send: (request) =>
      timed({
        name: `call ${request.method}`,
        metric: "passerelle_call_duration_seconds",
        labels: { method: request.method },
        outcome: (result) => "value" in result ? String(result.value.status) : "failed",
      }, () => send(request)),
  };
}

const UNPACK = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** A small answer that unpacks to a large one is as large as it unpacks. */
async function unpacked(
  bytes: Uint8Array<ArrayBuffer>,
  { encoding, maxBytes }: { encoding: string; maxBytes: number },
): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === "identity" || encoding === "" || !bytes.length) return bytes;
  if (!Object.hasOwn(UNPACK, encoding)) {
    throw new AppError("upstream", say`The answer is packed in a way that was not asked for`);
  }
  try {
    const unpack = UNPACK[encoding as keyof typeof UNPACK];
    return new Uint8Array(await unpack(bytes, { maxOutputLength: maxBytes }));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(maxBytes);
    throw new AppError("upstream", say`The answer cannot be unpacked`, {
      cause: error,
      details: { answered: true },
    });
  }
}

function parsed(text: string): URL {
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  throw new AppError("refused", say`The address is not one of http or https without credentials`);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("upstream", say`The answer is larger than ${maxBytes} bytes`, {
    details: { answered: true },
  });
}

function failureOf(
  { hostname }: URL,
  { maxBytes, timeoutMs }: EgressRequest,
  { end, code, cause }: ExchangeFailed,
): AppError {
  switch (end) {
    case "interrupted":
      return new AppError(
        "upstream",
        say`The call of ${hostname} was interrupted by the end of this process; whether it took effect is not known`,
        { details: { interrupted: true } },
      );
    case "late":
      return new AppError(
        "upstream",
        say`${hostname} did not answer within ${timeoutMs / 1000} s`,
        {
          details: { timeout: true },
        },
      );
    case "too-large":
      return tooLarge(maxBytes);
    case "cut-short":
      return new AppError("upstream", say`The answer is cut short`);
    case "unreachable":
    case "lost":
      return new AppError("upstream", say`${hostname} cannot be reached (${code})`, { cause });
  }
}
