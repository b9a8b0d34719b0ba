import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Log } from "#src/ports/log.ts";
import { wantsPage } from "./console.ts";
import type { Telemetry } from "#src/ports/telemetry.ts";
import { compressed } from "./compressed.ts";
import { crossOrigin } from "./cors.ts";
import { crossSite } from "./cross_site.ts";
import { collectDeclarations, refuseUnguarded } from "./declarations.ts";
import type { Audit, HttpEnv, Once } from "./env.ts";
import { ENVELOPE } from "./envelope.ts";
import { onError, type SchemaLack, translateFor } from "./errors.ts";
import type { CountWrite } from "./daily_usage.ts";
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
  readonly once?: Once | undefined;
  readonly countWrite?: CountWrite | undefined;
  readonly trustedProxies?: number;
  /** The installation's language; French by default. */
  readonly language?: Language | undefined;
  readonly publicUrl?: string | undefined;
  readonly corsOrigins?: readonly string[];
  readonly bodies?: IntakeSettings;
  /** Page shown to browsers at addresses outside the API. */
  readonly page?: (c: Context<HttpEnv>) => Promise<Response>;
  readonly telemetry?: Pick<Telemetry, "request">;
  readonly schemaLack?: SchemaLack;
}

type Routers = readonly OpenAPIHono<HttpEnv>[];

/**
 * Builds the app with the parts that all routes share: caller, address, bodies, headers, errors, API document. Routers
 * receive the document lazily, because it also describes them. Throws if a route is not declared.
 */
export function httpTier(
  routersOf: (document: () => Promise<unknown>) => Routers,
  options: TierOptions,
): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  const declarations = collectDeclarations(app);
  app.onError(onError(options.schemaLack));
  app.notFound(async (c) => {
    const { method, path } = c.req;
    if (options.page && wantsPage(c) && !declarations.isOfApi(path)) return await options.page(c);
    const envelope = ENVELOPE[c.var.family];
    const allowed = declarations.methodsAt(path);
    if (!allowed.length) {
      return c.json(envelope(translateFor(say`There is no ${method} ${path}`, c)), 404);
    }
    c.header("Allow", allowed.join(", "));
    return c.json(envelope(translateFor(say`${path} knows ${allowed}, not ${method}`, c)), 405);
  });
  const { access, audit, corsOrigins = [], countWrite, log, once, telemetry } = options;
  const { trustedProxies = 0, language = "fr", publicUrl } = options;
  const intake = createIntake(options.bodies ?? { inFlightBytes: 128 * MB, windowMs: 10_000 });
  app.use(
    context({
      access,
      audit,
      countWrite,
      log,
      once,
      intake,
      trustedProxies,
      language,
      telemetry,
      ...declarations,
    }),
    fixedHeaders,
    compressed,
  );
  if (corsOrigins.length) app.use(crossOrigin(corsOrigins));
  app.use(crossSite({ access, publicUrl, corsOrigins }));
  for (const router of routersOf(describeApi(app, options.version))) app.route("/", router);
  refuseUnguarded(app);
  return app;
}
