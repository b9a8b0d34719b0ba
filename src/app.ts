import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Deps } from "./deps.ts";
import { accessRoutes } from "./features/access/routes.ts";
import { auditTrail } from "./features/audit/mod.ts";
import { assistantRoutes } from "./features/assistant/routes.ts";
import { auditRoutes } from "./features/audit/routes.ts";
import { dashboardRoutes } from "./features/dashboards/routes.ts";
import { dictionaryRoutes } from "./features/dictionary/routes.ts";
import { directoryRoutes } from "./features/directory/routes.ts";
import { catalogueRoutes } from "./features/catalogue/routes.ts";
import { chartsForMails } from "./features/charts/mod.ts";
import { chartRoutes } from "./features/charts/routes.ts";
import { chatRoutes } from "./features/chat/routes.ts";
import { configurationRoutes } from "./features/configuration/routes.ts";
import { describeCalls } from "./features/connectors/describe_calls.ts";
import { httpConnectorRoutes } from "./features/connectors/http/routes.ts";
import { newShared, resultCache } from "./features/connectors/mod.ts";
import { connectorCatalogueRoutes } from "./features/connectors/catalogue/routes.ts";
import { connectorRoutes } from "./features/connectors/routes.ts";
import { databaseQueryRoutes } from "./features/connectors/sql/database_routes.ts";
import { sqlRoutes } from "./features/connectors/sql/routes.ts";
import { evidenceRoutes } from "./features/evidence/routes.ts";
import { extractionRoutes } from "./features/extraction/routes.ts";
import { fileRoutes } from "./features/files/routes.ts";
import { catalogueRoutes as invoiceCatalogueRoutes } from "./features/invoices/catalogue_routes.ts";
import { invoiceRoutes } from "./features/invoices/routes.ts";
import { jobRoutes } from "./features/jobs/routes.ts";
import { licenseRoutes } from "./features/license/routes.ts";
import { liveRoutes } from "./features/live/routes.ts";
import { logRoutes } from "./features/logs/routes.ts";
import { mailRoutes } from "./features/mail/routes.ts";
import { menuRoutes } from "./features/menus/routes.ts";
import { notificationRoutes } from "./features/notifications/routes.ts";
import { databasePoolRoutes } from "./features/pools/database_routes.ts";
import { poolRoutes } from "./features/pools/routes.ts";
import { processingRoutes } from "./features/processing/routes.ts";
import { renderingRoutes } from "./features/renderings/routes.ts";
import { queryRoutes } from "./features/queries/routes.ts";
import { runRoutes } from "./features/runs/routes.ts";
import { recordGuard } from "./features/screens/mod.ts";
import { screenRoutes } from "./features/screens/routes.ts";
import { scheduleRoutes } from "./features/schedules/routes.ts";
import { schemaLack } from "./features/setup/mod.ts";
import { setupRoutes } from "./features/setup/routes.ts";
import { submissionRoutes } from "./features/submission/routes.ts";
import { taskRoutes } from "./features/tasks/routes.ts";
import { metricsRoutes } from "./features/telemetry/routes.ts";
import { templateRoutes } from "./features/templates/routes.ts";
import { validationRoutes } from "#src/features/validation/registry/routes.ts";
import { consolePage, consoleRoutes } from "./http/console.ts";
import { docsRoutes } from "./http/docs.ts";
import type { HttpEnv } from "./http/env.ts";
import type { Access } from "./http/guard.ts";
import { healthRoutes } from "./http/health.ts";
import { idempotency } from "./http/idempotency.ts";
import { httpTier } from "./http/tier.ts";
import type { Assets } from "./ports/assets.ts";
import type { ConsoleFiles } from "./ports/console.ts";

/** The whole HTTP tier as a function of what it needs. It keeps no state of its own. */
export function createApp(
  deps: Deps,
  { access, assets, pages }: { access: Access; assets: Assets; pages: ConsoleFiles },
): OpenAPIHono<HttpEnv> {
  const { settings, log } = deps;
  const queries = newShared(resultCache(deps));
  const guard = recordGuard(deps, queries);
  const { trustedProxies, publicUrl } = settings.access;
  const people = {
    files: pages,
    facts: {
      auth: !access.isOpen,
      oidc: deps.oidc !== undefined,
      version: settings.version,
    },
  };
  return httpTier((document) => [
    healthRoutes({ db: deps.db, tasks: deps.tasks, version: settings.version }),
    consoleRoutes(people),
    docsRoutes({
      assets,
      document,
      named: (reader) => describeCalls(deps.configuration.current(), reader),
    }),
    metricsRoutes(deps),
    templateRoutes(deps),
    processingRoutes(deps),
    runRoutes(deps),
    invoiceRoutes(deps),
    invoiceCatalogueRoutes(),
    renderingRoutes(deps),
    notificationRoutes({
      ...deps,
      drawChart: chartsForMails({ ...deps, cache: queries.cache }, queries),
    }),
    mailRoutes(deps),
    validationRoutes(deps),
    fileRoutes(deps),
    queryRoutes(deps),
    connectorRoutes(deps),
    connectorCatalogueRoutes(deps),
    httpConnectorRoutes({ ...deps, cache: queries.cache }),
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
    poolRoutes(deps),
    sqlRoutes({ ...deps, guard }, queries),
    databasePoolRoutes(deps),
    databaseQueryRoutes({ ...deps, guard }, queries),
    dictionaryRoutes(deps, queries),
    menuRoutes(deps),
    catalogueRoutes(deps),
    screenRoutes(deps, queries),
    chartRoutes({ ...deps, cache: queries.cache }, queries),
    dashboardRoutes({ ...deps, cache: queries.cache }, queries),
    logRoutes(deps),
    setupRoutes(deps),
    ...assistantRoutes({ ...deps, guard }, queries),
    jobRoutes(deps),
  ], {
    access,
    audit: auditTrail(deps),
    log,
    version: settings.version,
    once: idempotency(deps),
    bodies: settings.bodies,
    trustedProxies,
    publicUrl,
    page: (c) => consolePage(c, people),
    telemetry: deps.telemetry,
    schemaLack: (error) => schemaLack(deps, error),
  });
}
