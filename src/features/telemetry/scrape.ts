import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { isLoopbackHost } from "#src/kernel/url.ts";

/** Prometheus' text format, as its server asks for it. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

interface ScrapeDoor {
  /** `METRICS_TOKEN`; undefined where none is set. */
  readonly token: string | undefined;
  /** No proxy of ours stands in front, so that who comes from this machine is on this machine. */
  readonly isDirect: boolean;
}

/**
 * Who reads `/metrics` without an account: a program with the token, and whoever is on this machine and calls it by a name of
 * its own, which a page under a name that is made to point here does not (DNS rebinding). Everybody else takes the route, which
 * asks for its permission. Undefined where the call is none of these.
 */
export function scrapeDoor(
  { telemetry }: Pick<Deps, "telemetry">,
  { token, isDirect }: ScrapeDoor,
): (request: Request, address: string | undefined) => Promise<Response> | undefined {
  return (request, address) => {
    if (request.method !== "GET" || new URL(request.url).pathname !== "/metrics") return undefined;
    const isHere = isDirect && isLoopback(address) && isLoopbackHost(hostOf(request)) &&
      !isForwarded(request);
    if (!isHere && !(token !== undefined && holds(request, token))) return undefined;
    return telemetry.print().then((text) =>
      new Response(text, { headers: { "content-type": METRICS_TYPE, "cache-control": "no-store" } })
    );
  };
}

function isLoopback(address = ""): boolean {
  return address === "::1" || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
}

function hostOf({ headers, url }: Request): string {
  return headers.get("host") ?? new URL(url).host;
}

/** Proxies on this machine say so by one of these. */
function isForwarded({ headers }: Request): boolean {
  return ["forwarded", "via", "x-forwarded-for", "x-real-ip"].some((it) => headers.has(it));
}

function holds({ headers }: Request, token: string): boolean {
  const [, given = ""] = /^Bearer +(.+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
