import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Log } from "#src/ports/log.ts";
import { wantsPage } from "./console.ts";
import type { Telemetry } from "#src/ports/telemetry.ts";
import { crossSite } from "./cross_site.ts";
import { declarationsOf, refuseUnguarded } from "./declarations.ts";
import type { Audit, HttpEnv } from "./env.ts";
import { ENVELOPE } from "./envelope.ts";
import { onError, type SchemaLack, translated } from "./errors.ts";
import type { Access } from "./guard.ts";
import { createIntake, type IntakeSettings, MB } from "./intake.ts";
import { fixedHeaders } from "./fixed_headers.ts";
import { context } from "./middleware.ts";
import { describeApi } from "./openapi.ts";

interface TierOptions {
  readonly access: Access;
  readonly audit?: Audit | undefined;
  readonly log: Log;
  readonly version: string;
  readonly once?: MiddlewareHandler<HttpEnv> | undefined;
  readonly trustedProxies?: number;
  readonly publicUrl?: string | undefined;
  readonly bodies?: IntakeSettings;
  /** What a browser is shown at an address that is none of the API's. */
  readonly page?: (c: Context<HttpEnv>) => Promise<Response>;
  readonly telemetry?: Pick<Telemetry, "request">;
  readonly schemaLack?: SchemaLack;
}

type Routers = readonly OpenAPIHono<HttpEnv>[];

/**
 * What all routes share: who calls and from where, bodies, headers, errors, the API document. A router is given the
 * document lazily, for it describes the router too. Fails when a route is not declared.
 */
export function httpTier(
  routersOf: (document: () => Promise<unknown>) => Routers,
  options: TierOptions,
): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  const declarations = declarationsOf(app);
  app.onError(onError(options.schemaLack));
  app.notFound(async (c) => {
    const { method, path } = c.req;
    if (options.page && wantsPage(c) && !declarations.isOfApi(path)) return await options.page(c);
    const envelope = ENVELOPE[c.var.family];
    const allowed = declarations.methodsAt(path);
    if (!allowed.length) {
      return c.json(envelope(translated(say`There is no ${method} ${path}`, c)), 404);
    }
    c.header("Allow", allowed.join(", "));
    return c.json(envelope(translated(say`${path} knows ${allowed}, not ${method}`, c)), 405);
  });
  const { access, audit, log, once, trustedProxies = 0, publicUrl, telemetry } = options;
  const intake = createIntake(options.bodies ?? { inFlightBytes: 128 * MB, windowMs: 10_000 });
  app.use(
    context({ access, audit, log, once, intake, trustedProxies, telemetry, ...declarations }),
    fixedHeaders,
    crossSite({ access, publicUrl }),
  );
  for (const router of routersOf(describeApi(app, options.version))) app.route("/", router);
  refuseUnguarded(app);
  return app;
}
