import { type HttpServer, serve } from "#src/adapters/http_server/server.ts";
import { watchStalls } from "#src/adapters/http_server/stalls.ts";
import { viewAssets } from "#src/adapters/api_views/assets.ts";
import { createApp } from "#src/app.ts";
import type { Config } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { createAccess } from "#src/features/access/mod.ts";
import { openAccess } from "#src/http/guard.ts";

/** The HTTP tier of this process, listening. */
export async function serveWeb(config: Config, deps: Deps): Promise<HttpServer> {
  const access = config.auth ? createAccess(deps) : openAccess;
  const app = createApp(deps, { access, assets: viewAssets() });
  const server = await serve(app.fetch, config.http);
  const watching = new AbortController();
  watchStalls(deps.log, watching.signal);
  return {
    url: server.url,
    async close(graceMs) {
      await server.close(graceMs);
      await access.settle?.();
      watching.abort();
    },
  };
}
