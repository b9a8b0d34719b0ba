import type { Context } from "hono";
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

/** The server's adapter hands over the connection; requests made in the process have none. */
function socketAddress(env: unknown): string | undefined {
  const address = (env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)
    ?.incoming?.socket
    ?.remoteAddress;
  return address?.replace(/^::ffff:/, "");
}
