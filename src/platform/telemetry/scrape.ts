import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { isLoopbackHost } from "#src/kernel/url.ts";

/** Prometheus' text format, as its server asks for it. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

interface ScrapeDoor {
  /** Value of `METRICS_TOKEN`; undefined when not set. */
  readonly token: string | undefined;
  /** True without a proxy of ours, so that calls from this machine originate on it. */
  readonly isDirect: boolean;
}

/**
 * Creates a handler that answers `/metrics` without an account.
 * It serves programs with the token, and direct calls on this machine under a local name.
 * A page whose foreign name points here is excluded (DNS rebinding).
 * The handler returns undefined for other requests, whose permission the route checks.
 */
export function scrapeDoor(
  { telemetry }: Pick<Deps, "telemetry">,
  { token, isDirect }: ScrapeDoor,
): (request: Request, address: string | undefined) => Promise<Response> | undefined {
  return (request, address) => {
    if (request.method !== "GET" || new URL(request.url).pathname !== "/metrics") return undefined;
    const isHere = isDirect && isLoopback(address) && isLoopbackHost(getHost(request)) &&
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

function getHost({ headers, url }: Request): string {
  return headers.get("host") ?? new URL(url).host;
}

/** Returns true for requests through a proxy on this machine, which sets one of these headers. */
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
