import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Deps } from "./deps.ts";
import { accessRoutes } from "./features/access/routes.ts";
import { recordAudit } from "./features/audit/mod.ts";
import { auditRoutes } from "./features/audit/routes.ts";
import { directoryRoutes } from "./features/directory/routes.ts";
import { chatRoutes } from "./features/chat/routes.ts";
import { configurationRoutes } from "./features/configuration/routes.ts";
import { connectorRoutes } from "./features/connectors/routes.ts";
import { evidenceRoutes } from "./features/evidence/routes.ts";
import { extractionRoutes } from "./features/extraction/routes.ts";
import { fileRoutes } from "./features/files/routes.ts";
import { catalogueRoutes } from "./features/invoices/catalogue_routes.ts";
import { invoiceRoutes } from "./features/invoices/routes.ts";
import { licenseRoutes } from "./features/license/routes.ts";
import { liveRoutes } from "./features/live/routes.ts";
import { mailRoutes } from "./features/mail/routes.ts";
import { notificationRoutes } from "./features/notifications/routes.ts";
import { processingRoutes } from "./features/processing/routes.ts";
import { renderingRoutes } from "./features/renderings/routes.ts";
import { queryRoutes } from "./features/queries/routes.ts";
import { runRoutes } from "./features/runs/routes.ts";
import { scheduleRoutes } from "./features/schedules/routes.ts";
import { submissionRoutes } from "./features/submission/routes.ts";
import { taskRoutes } from "./features/tasks/routes.ts";
import { templateRoutes } from "./features/templates/routes.ts";
import { validationRoutes } from "#src/features/validation/registry/routes.ts";
import { docsRoutes } from "./http/docs.ts";
import type { HttpEnv } from "./http/env.ts";
import type { Access } from "./http/guard.ts";
import { healthRoutes } from "./http/health.ts";
import { idempotency } from "./http/idempotency.ts";
import { httpTier } from "./http/tier.ts";
import type { Assets } from "./ports/assets.ts";

/** The whole HTTP tier as a function of what it needs. It keeps no state of its own. */
export function createApp(
  deps: Deps,
  { access, assets }: { access: Access; assets: Assets },
): OpenAPIHono<HttpEnv> {
  const { settings, log } = deps;
  const { trustedProxies, publicUrl } = settings.access;
  return httpTier((document) => [
    healthRoutes({ db: deps.db, tasks: deps.tasks, version: settings.version }),
    docsRoutes({ assets, document }),
    templateRoutes(deps),
    processingRoutes(deps),
    runRoutes(deps),
    invoiceRoutes(deps),
    catalogueRoutes(),
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
    ...submissionRoutes(deps),
    evidenceRoutes(deps),
    directoryRoutes(deps),
    taskRoutes(deps),
    liveRoutes(deps),
    accessRoutes(deps),
    auditRoutes(deps),
    licenseRoutes(deps),
    configurationRoutes(deps),
  ], {
    access,
    audit: (entry) => recordAudit(deps, entry),
    log,
    version: settings.version,
    once: idempotency(deps),
    bodies: settings.bodies,
    trustedProxies,
    publicUrl,
  });
}
