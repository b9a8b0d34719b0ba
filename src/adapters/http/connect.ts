import { Buffer } from "node:buffer";
import type { LookupFunction } from "node:net";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { Readable } from "node:stream";
import { isIP } from "node:net";

/** A request as it is sent. */
export interface Outgoing {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | string | undefined;
  /** Where to connect, whatever the name resolves to by now; absent, the system resolves it. */
  readonly addresses?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends one request on a connection of its own and resolves to the answer as it begins. Not `fetch`, which follows
 * redirects, keeps connections, resolves names by itself and may send a POST a second time when one of them dies.
 */
export function connect(outgoing: Outgoing): Promise<IncomingMessage> {
  const { url, method, signal, addresses } = outgoing;
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  const body = bytesOf(outgoing.body);
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

function bytesOf(body: Outgoing["body"]): Buffer | undefined {
  if (body === undefined) return undefined;
  if (typeof body === "string") return Buffer.from(body);
  return Buffer.from(body.buffer, body.byteOffset, body.length);
}

/** A write takes a copy of what it is given, at once: MB in one would hold the event loop up. */
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
