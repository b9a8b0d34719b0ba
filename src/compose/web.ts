import { type HttpServer, serve } from "#src/adapters/http_server/server.ts";
import { attachSockets } from "#src/adapters/http_server/sockets.ts";
import { watchStalls } from "#src/adapters/http_server/stalls.ts";
import { viewAssets } from "#src/adapters/api_views/assets.ts";
import { createApp } from "#src/app.ts";
import type { Config } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { createAccess } from "#src/platform/access/mod.ts";
import { liveDoor } from "#src/platform/live/mod.ts";
import { setupActor } from "#src/platform/setup/mod.ts";
import { scrapeDoor } from "#src/platform/telemetry/mod.ts";
import { socketAddress } from "#src/http/address.ts";
import { FIXED, withFixedHeaders } from "#src/http/fixed_headers.ts";
import { type Access, openAccess } from "#src/http/guard.ts";
import { composeConsole } from "./console.ts";

interface TierOptions {
  /** True if clients connect to a port of this process, false if a platform accepts the connections. */
  readonly isOurPort: boolean;
  /** True if the process ends soon; `/api/readyz` then answers 503. */
  readonly isDraining: () => boolean;
}

/** Builds the HTTP tier as a function of a request and its connection. */
export function webTier(config: Config, deps: Deps, { isOurPort, isDraining }: TierOptions) {
  const access: Access = config.auth
    ? { ...createAccess(deps), holderOfSetupToken: (call) => setupActor(deps.db, call) }
    : openAccess;
  const pages = composeConsole(config, deps.log);
  const app = createApp(deps, { access, assets: viewAssets(), pages, isDraining });
  const { trustedProxies, publicUrl } = config.access;
  const scraped = scrapeDoor(deps, {
    token: config.telemetry.token,
    isDirect: isOurPort && trustedProxies === 0 && publicUrl === undefined,
  });
  const fetch = (request: Request, env?: unknown): Response | Promise<Response> =>
    scraped(request, socketAddress(env))?.then(withFixedHeaders) ??
      app.fetch(request, env as never);
  return { fetch, access, pages };
}

/** Starts the HTTP server of this process. */
export async function serveWeb(config: Config, deps: Deps): Promise<HttpServer> {
  let isDraining = false;
  const { fetch, access, pages } = webTier(config, deps, {
    isOurPort: true,
    isDraining: () => isDraining,
  });
  void pages.entry().catch(() => {}); // builds the page before the first request; errors are logged
  const door = liveDoor(deps, access);
  const server = await serve(
    fetch,
    config.http,
    (http) => attachSockets(http, { door, headers: FIXED, log: deps.log }),
  );
  const watching = new AbortController();
  watchStalls(deps.log, watching.signal);
  return {
    url: server.url,
    drain() {
      isDraining = true;
      server.drain();
    },
    async close(graceMs) {
      await server.close(graceMs);
      await access.settle?.();
      watching.abort();
    },
  };
}
