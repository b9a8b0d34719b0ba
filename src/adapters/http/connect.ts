import { Buffer } from "node:buffer";
import type { LookupFunction } from "node:net";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";

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
  const body = outgoing.body === undefined ? undefined : Buffer.from(outgoing.body);
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
    sent.end(body);
  });
}

function lookupIn(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    if (options.all) return callback(null, all);
    const [first] = all;
    callback(null, first?.address ?? "", first?.family ?? 4);
  };
}
