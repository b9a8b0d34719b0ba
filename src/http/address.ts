import type { Context } from "hono";
import type { Log } from "#src/ports/log.ts";
import type { HttpEnv } from "./env.ts";

/**
 * Where a call comes from. `X-Forwarded-For` is believed only as far as proxies of ours wrote it: with one trusted
 * proxy its last entry, with two the one before.
 */
export function addressOf(c: Context<HttpEnv>, trustedProxies: number): string | undefined {
  const forwarded = (c.req.header("x-forwarded-for") ?? "").split(",").map((it) => it.trim())
    .filter(Boolean);
  const written = trustedProxies > 0 ? forwarded.at(-trustedProxies) : undefined;
  return written ?? socketAddress(c.env);
}

/** Of the caller. The server's adapter hands over the connection; requests made in the process have none. */
export function socketAddress(env: unknown): string | undefined {
  const address = (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)
    ?.incoming?.socket
    ?.remoteAddress;
  return address?.replace(/^::ffff:/, "");
}

/**
 * Says once that a proxy seems to stand in front of which nobody told: all who come through it then count as one caller,
 * and one who guesses passwords locks everybody out.
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
