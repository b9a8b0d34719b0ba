import type { Context } from "hono";
import type { Log } from "#src/ports/log.ts";
import type { HttpEnv } from "./env.ts";

/**
 * Returns the network address of the caller. `X-Forwarded-For` is trusted only for entries of our own proxies. With one
 * trusted proxy its last entry counts, with two the one before.
 */
export function readAddress(c: Context<HttpEnv>, trustedProxies: number): string | undefined {
  const forwarded = (c.req.header("x-forwarded-for") ?? "").split(",").map((it) => it.trim())
    .filter(Boolean);
  const written = trustedProxies > 0 ? forwarded.at(-trustedProxies) : undefined;
  return written ?? socketAddress(c.env);
}

/** Returns the address of the connection that the server's adapter passes on. In-process requests have none. */
export function socketAddress(env: unknown): string | undefined {
  const address = (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)
    ?.incoming?.socket
    ?.remoteAddress;
  return address?.replace(/^::ffff:/, "");
}

/**
 * Warns once if a proxy seems to be in front that is not configured. All its clients then count as one caller, and one
 * who guesses passwords locks everybody out.
 */
export function untrustedProxyNote({ log, trustedProxies }: { log: Log; trustedProxies: number }) {
  let isSaid = trustedProxies > 0;
  return (c: Context<HttpEnv>) => {
    if (isSaid || c.req.header("x-forwarded-for") === undefined) return;
    isSaid = true;
    log.warn("proxy.untrusted", {
      says:
        "X-Forwarded-For came and is not believed: set TRUSTED_PROXIES to the number of proxies in front",
    });
  };
}
