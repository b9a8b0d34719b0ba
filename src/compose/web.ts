import { type HttpServer, serve } from "#src/adapters/http_server/server.ts";
import { attachSockets } from "#src/adapters/http_server/sockets.ts";
import { watchStalls } from "#src/adapters/http_server/stalls.ts";
import { viewAssets } from "#src/adapters/api_views/assets.ts";
import { createApp } from "#src/app.ts";
import type { Config } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { createAccess } from "#src/features/access/mod.ts";
import { liveDoor } from "#src/features/live/mod.ts";
import { setupActor } from "#src/features/setup/mod.ts";
import { scrapeDoor } from "#src/features/telemetry/mod.ts";
import { socketAddress } from "#src/http/address.ts";
import { type Access, openAccess } from "#src/http/guard.ts";
import { composeConsole } from "./console.ts";

/**
 * The HTTP tier as a function of a request and its connection. `isOurPort`: connections come to a port of this process, and no
 * platform of others takes them in its place.
 */
export function webTier(config: Config, deps: Deps, { isOurPort }: { isOurPort: boolean }) {
  const access: Access = config.auth
    ? { ...createAccess(deps), holderOfSetupToken: (call) => setupActor(deps.db, call) }
    : openAccess;
  const pages = composeConsole(config, deps.log);
  const app = createApp(deps, { access, assets: viewAssets(), pages });
  const { trustedProxies, publicUrl } = config.access;
  const scraped = scrapeDoor(deps, {
    token: config.telemetry.token,
    isDirect: isOurPort && trustedProxies === 0 && publicUrl === undefined,
  });
  const fetch = (request: Request, env?: unknown): Response | Promise<Response> =>
    scraped(request, socketAddress(env)) ?? app.fetch(request, env as never);
  return { fetch, access, pages };
}

/** The HTTP tier of this process, listening. */
export async function serveWeb(config: Config, deps: Deps): Promise<HttpServer> {
  const { fetch, access, pages } = webTier(config, deps, { isOurPort: true });
  void pages.entry().catch(() => {}); // built while nobody waits for it; what is wrong is in the log
  const door = liveDoor(deps, access);
  const server = await serve(
    fetch,
    config.http,
    (http) => attachSockets(http, { door, log: deps.log }),
  );
  const watching = new AbortController();
  watchStalls(deps.log, watching.signal);
  return {
    url: server.url,
    isAnswering: server.isAnswering,
    async close(graceMs) {
      await server.close(graceMs);
      await access.settle?.();
      watching.abort();
    },
  };
}
