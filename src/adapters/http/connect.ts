import { Buffer } from "node:buffer";
import type { LookupFunction } from "node:net";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { isIP } from "node:net";

/** Request to send. */
export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string | undefined;
  /** Addresses to connect to, whatever the name resolves to now; without them the system resolves it. */
  readonly addresses?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends one request on its own connection and resolves when the answer begins. `fetch` is unsuitable: it follows
 * redirects, reuses connections, resolves names itself and may repeat a POST when a connection dies.
 */
export function connect(outgoing: Outgoing): Promise<IncomingMessage> {
  const { url, method, signal, addresses } = outgoing;
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  const body = findBytes(outgoing.body);
  const headers = { ...outgoing.headers, ...body && { "content-length": String(body.length) } };
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      headers,
      signal,
      agent: false,
      maxHeaderSize: 64 * 1024,
      ...addresses && { lookup: lookupIn(addresses) },
    });
    sent.on("error", reject);
    sent.on("response", resolve);
    if (body === undefined || body.length <= WRITTEN) sent.end(body);
    else Readable.from(inSteps(body)).pipe(sent);
  });
}

function findBytes(body: Outgoing["body"]): Buffer | undefined {
  if (body === undefined) return undefined;
  if (typeof body === "string") return Buffer.from(body);
  return Buffer.from(body.buffer, body.byteOffset, body.length);
}

/** Size of one write. A write copies its bytes at once, so several MB would block the event loop. */
const WRITTEN = 256 * 1024;

function* inSteps(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += WRITTEN) yield body.subarray(at, at + WRITTEN);
}

function lookupIn(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    if (options.all) return callback(null, all);
    const [first] = all;
    callback(null, first?.address ?? "", first?.family ?? 4);
  };
}
