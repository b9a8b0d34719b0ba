import { parseUrl } from "#src/kernel/url.ts";
import type { Reach } from "#src/ports/egress.ts";

/** The host of an address alone, and of private ones it only where that is allowed. */
export function reachOf(address: string, allowPrivate: boolean): Reach {
  const url = parseUrl(address);
  const port = url?.port || (url?.protocol === "http:" ? "80" : "443");
  const hosts = url ? [`${url.hostname.toLowerCase()}:${port}`] : [];
  return { hosts, privateHosts: allowPrivate ? hosts : [] };
}
