import { OpenAPIHono } from "@hono/zod-openapi";
import type { Deps } from "./deps.ts";
import { accessRoutes } from "./features/access/routes.ts";
import { auditRoutes } from "./features/audit/routes.ts";
import { directoryRoutes } from "./features/directory/routes.ts";
import { chatRoutes } from "./features/chat/routes.ts";
import { connectorRoutes } from "./features/connectors/routes.ts";
import { evidenceRoutes } from "./features/evidence/routes.ts";
import { extractionRoutes } from "./features/extraction/routes.ts";
import { fileRoutes } from "./features/files/routes.ts";
import { invoiceRoutes } from "./features/invoices/routes.ts";
import { licenseRoutes } from "./features/license/routes.ts";
import { liveRoutes } from "./features/live/routes.ts";
import { mailRoutes } from "./features/mail/routes.ts";
import { checkRule } from "./features/notifications/mod.ts";
import { notificationRoutes } from "./features/notifications/routes.ts";
import { processingRoutes } from "./features/processing/routes.ts";
import { renderingRoutes } from "./features/renderings/routes.ts";
import { queryRoutes } from "./features/queries/routes.ts";
import { runRoutes } from "./features/runs/routes.ts";
import { scheduleRoutes } from "./features/schedules/routes.ts";
import { paHealthRoutes } from "./features/submission/health_routes.ts";
import { lifecycleRoutes } from "./features/submission/lifecycle_routes.ts";
import { sendingRoutes } from "./features/submission/submission_routes.ts";
import { webhookRoutes } from "./features/submission/webhooks_routes.ts";
import { templateRoutes } from "./features/templates/routes.ts";
import { validationRoutes } from "./features/validation/routes.ts";
import { docsRoutes } from "./http/docs.ts";
import type { HttpEnv } from "./http/env.ts";
import { ENVELOPE, familyOf, onError } from "./http/errors.ts";
import type { Access } from "./http/guard.ts";
import { healthRoutes } from "./http/health.ts";
import { idempotency } from "./http/idempotency.ts";
import { context, limits, securityHeaders } from "./http/middleware.ts";
import { describeApi, refuseUnguarded } from "./http/openapi.ts";
import type { Assets } from "./ports/assets.ts";

/** The whole HTTP tier as a function of what it needs. It keeps no state of its own. */
export function createApp(
  deps: Deps,
  { access, assets }: { access: Access; assets: Assets },
): OpenAPIHono<HttpEnv> {
  const app = new OpenAPIHono<HttpEnv>();
  const document = describeApi(app, deps.settings.version);
  app.onError(onError);
  app.notFound((c) =>
    c.json(ENVELOPE[familyOf(c.req.path)](`There is no ${c.req.method} ${c.req.path}`), 404)
  );
  const { trustedProxies } = deps.settings.access;
  app.use(
    context({ access, log: deps.log, once: idempotency(deps), trustedProxies }),
    securityHeaders(),
    limits(deps.settings),
  );
  const routers = [
    healthRoutes({ db: deps.db, tasks: deps.tasks, version: deps.settings.version }),
    docsRoutes({ assets, document }),
    templateRoutes(deps, (template, author) => checkRule(deps, template, author)),
    processingRoutes(deps),
    runRoutes(deps),
    invoiceRoutes(deps),
    renderingRoutes(deps),
    notificationRoutes(deps),
    mailRoutes(deps),
    validationRoutes(deps),
    fileRoutes(deps),
    queryRoutes(deps),
    connectorRoutes(deps),
    extractionRoutes(deps),
    scheduleRoutes(deps),
    chatRoutes(deps),
    lifecycleRoutes(deps),
    webhookRoutes(deps),
    paHealthRoutes(deps),
    evidenceRoutes(deps),
    directoryRoutes(deps),
    sendingRoutes(deps),
    liveRoutes(deps),
    accessRoutes(deps),
    auditRoutes(deps),
    licenseRoutes(deps),
  ];
  for (const router of routers) app.route("/", router);
  refuseUnguarded(app);
  return app;
}
