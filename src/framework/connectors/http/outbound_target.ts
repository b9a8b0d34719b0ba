import { parseUrl } from "#src/kernel/url.ts";
import type { OutboundTarget } from "#src/ports/egress.ts";

/** The host of an address alone. */
export function getOutboundTarget(address: string): OutboundTarget {
  const url = parseUrl(address);
  const port = url?.port || (url?.protocol === "http:" ? "80" : "443");
  const hosts = url ? [`${url.hostname.toLowerCase()}:${port}`] : [];
  return { hosts };
}
