import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { measureWork } from "#src/adapters/telemetry/measure_work.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import type { Egress, EgressRequest } from "#src/ports/egress.ts";
import { exchange, ExchangeFailed } from "../http/exchange.ts";
import type { OwnPorts } from "../http/own_ports.ts";
import { reachable, unreachable } from "../http/reach.ts";
import { type Resolve, systemResolve } from "../http/resolve.ts";

interface EgressOptions {
  /** Hosts that the operator lists; their addresses may be in a private network. */
  readonly privateHosts?: readonly string[];
  readonly own?: OwnPorts;
  /** Replaces the system's resolver. */
  readonly resolve?: Resolve;
}

const NO_PORTS: OwnPorts = { ports: [], services: [] };

/** Calls addresses that users configure, over HTTP. */
export function httpEgress(
  { privateHosts = [], own = NO_PORTS, resolve = systemResolve }: EgressOptions = {},
): Egress {
  const send: Egress["send"] = async (request) => {
    const url = parseAddress(request.url);
    try {
      const answer = await exchange({
        ...request,
        url,
        headers: { "accept-encoding": "gzip, deflate, br", ...request.headers },
        addresses: () => reachable(url, { reach: request.reach, privateHosts, own, resolve }),
      });
      const encoding = answer.headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
      return { ...answer, bytes: await decompress(answer.bytes, { encoding, ...request }) };
    } catch (error) {
      throw error instanceof ExchangeFailed ? toFailure(url, request, error) : error;
    }
  };
  return {
    send: (request) =>
      measureWork({
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

/** Decompresses an answer; its limit applies to the decompressed size. */
async function decompress(
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

function parseAddress(text: string): URL {
  const url = parseUrl(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  throw new AppError("refused", say`The address is not one of http or https without credentials`);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("upstream", say`The answer is larger than ${maxBytes} bytes`, {
    details: { answered: true },
  });
}

function toFailure(
  { hostname }: URL,
  { maxBytes, timeoutMs }: EgressRequest,
  { end, code, isUnsent, cause }: ExchangeFailed,
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
      return unreachable(hostname, cause);
    case "lost":
      return isUnsent // the certificate was refused
        ? new AppError("upstream", say`${hostname} cannot be reached (${code})`, { cause })
        : unreachable(hostname, cause);
  }
}
