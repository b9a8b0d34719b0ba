import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Deps } from "./deps.ts";
import { hasAdministrator, isUnused } from "./platform/access/mod.ts";
import { accessRoutes } from "./platform/access/routes.ts";
import { auditTrail } from "./platform/audit/mod.ts";
import { assistantRoutes } from "./framework/assistant/routes.ts";
import { auditRoutes } from "./platform/audit/routes.ts";
import { dashboardRoutes } from "./framework/dashboards/routes.ts";
import { dictionaryRoutes } from "./framework/dictionary/routes.ts";
import { directoryRoutes } from "./gateway/directory/routes.ts";
import { catalogueRoutes } from "./framework/catalogue/routes.ts";
import { chartsForMails } from "./framework/charts/mod.ts";
import { chartRoutes } from "./framework/charts/routes.ts";
import { chatRoutes } from "./framework/chat/routes.ts";
import { configurationRoutes } from "./framework/configuration/routes.ts";
import { describeCalls } from "./framework/connectors/describe_calls.ts";
import { httpConnectorRoutes } from "./framework/connectors/http/routes.ts";
import { newShared, queryCheck, resultCache } from "./framework/connectors/mod.ts";
import { connectorCatalogueRoutes } from "./framework/connectors/catalogue/routes.ts";
import { connectorRoutes } from "./framework/connectors/routes.ts";
import { databaseQueryRoutes } from "./framework/connectors/sql/database_routes.ts";
import { sqlRoutes } from "./framework/connectors/sql/routes.ts";
import { connectionRoutes } from "./gateway/connections/routes.ts";
import { evidenceRoutes } from "./gateway/evidence/routes.ts";
import { extractionRoutes } from "./gateway/extraction/routes.ts";
import { fileRoutes } from "./platform/files/routes.ts";
import { catalogueRoutes as invoiceCatalogueRoutes } from "./gateway/invoices/catalogue_routes.ts";
import { invoiceRoutes } from "./gateway/invoices/routes.ts";
import { financeRoutes } from "./gateway/finance/routes.ts";
import { homeRoutes } from "./gateway/home/routes.ts";
import { jobRoutes } from "./framework/jobs/routes.ts";
import { licenseRoutes } from "./platform/license/routes.ts";
import { liveRoutes } from "./platform/live/routes.ts";
import { logRoutes } from "./platform/logs/routes.ts";
import { invitationRoutes } from "./gateway/invitations/routes.ts";
import { mailRoutes } from "./gateway/mail/routes.ts";
import { menuRoutes } from "./framework/menus/routes.ts";
import { notificationRoutes } from "./gateway/notifications/routes.ts";
import { databasePoolRoutes } from "./framework/pools/database_routes.ts";
import { poolRoutes } from "./framework/pools/routes.ts";
import { processingRoutes } from "./gateway/processing/routes.ts";
import { renderingRoutes } from "./gateway/renderings/routes.ts";
import { queryRoutes } from "./gateway/queries/routes.ts";
import { runRoutes } from "./gateway/runs/routes.ts";
import { recordGuard } from "./framework/screens/mod.ts";
import { screenRoutes } from "./framework/screens/routes.ts";
import { firstStepRoutes } from "./gateway/first_steps/routes.ts";
import { scheduleRoutes } from "./gateway/schedules/routes.ts";
import { isSendingOff, schemaLack } from "./platform/setup/mod.ts";
import { setupRoutes } from "./platform/setup/routes.ts";
import { runningRoutes } from "./platform/setup/running_routes.ts";
import { submissionRoutes } from "./gateway/submission/routes.ts";
import { taskRoutes } from "./platform/tasks/routes.ts";
import { metricsRoutes } from "./platform/telemetry/routes.ts";
import { templateRoutes } from "./platform/templates/routes.ts";
import { validationRoutes } from "#src/gateway/validation/registry/routes.ts";
import { consolePage, consoleRoutes } from "./http/console.ts";
import { docsRoutes } from "./http/docs.ts";
import type { HttpEnv } from "./http/env.ts";
import type { Access } from "./http/guard.ts";
import { healthRoutes } from "./http/health.ts";
import { writesWithin } from "./http/daily_usage.ts";
import { idempotency } from "./http/idempotency.ts";
import { httpTier } from "./http/tier.ts";
import type { Assets } from "./ports/assets.ts";
import type { ConsoleFiles } from "./ports/console.ts";

/** Returns the routes that call outside systems of the invoicing for a person. */
function peerRoutes(deps: Deps) {
  return [mailRoutes(deps), invitationRoutes(deps), directoryRoutes(deps), connectionRoutes(deps)];
}

/** Builds the whole HTTP tier from its dependencies; it is stateless. */
export function createApp(
  deps: Deps,
  { access, assets, pages, isDraining = () => false }: {
    access: Access;
    assets: Assets;
    pages: ConsoleFiles;
    isDraining?: () => boolean;
  },
): OpenAPIHono<HttpEnv> {
  const { settings, log } = deps;
  const { trustedProxies, publicUrl, corsOrigins } = settings.access;
  const people = {
    files: pages,
    language: settings.language,
    facts: async () => ({
      auth: !access.isOpen,
      oidc: deps.oidc !== undefined,
      version: settings.version,
      model: deps.llm.models.length > 0,
      unused: !access.isOpen && await isUnused(deps.db).catch(() => false),
      adminless: !access.isOpen && !await hasAdministrator(deps.db).catch(() => true),
      sending: !await isSendingOff(deps).catch(() => false), // the page is shown even while the database is unavailable
    }),
  };
  return httpTier((document) => [
    healthRoutes({
      ...deps,
      isDraining,
      isSendingOff: () => isSendingOff(deps),
      failure: deps.database.failure,
    }),
    consoleRoutes(people),
    docsRoutes({
      assets,
      document,
      named: (reader) => describeCalls(deps.configuration.current(), reader),
    }),
    ...apiRoutes(deps),
  ], {
    access,
    audit: auditTrail(deps),
    log,
    version: settings.version,
    countWrite: writesWithin({ db: deps.db, most: settings.uploads.dailyBytes }),
    once: idempotency({
      db: deps.db,
      streams: { limit: settings.maxUploadBytes, windowMs: settings.uploads.stallMs },
    }),
    bodies: settings.bodies,
    trustedProxies,
    language: settings.language,
    publicUrl,
    corsOrigins,
    page: (c) => consolePage(c, people),
    telemetry: deps.telemetry,
    schemaLack: (error) => schemaLack(deps, error),
  });
}

function apiRoutes(deps: Deps): readonly OpenAPIHono<HttpEnv>[] {
  const queries = newShared(resultCache(deps));
  const guard = recordGuard(deps, queries);
  return [
    metricsRoutes(deps),
    templateRoutes(deps),
    processingRoutes(deps),
    runRoutes(deps),
    invoiceRoutes(deps),
    invoiceCatalogueRoutes(),
    financeRoutes(deps),
    homeRoutes(deps),
    renderingRoutes(deps),
    notificationRoutes({
      ...deps,
      drawChart: chartsForMails({ ...deps, cache: queries.cache }, queries),
    }),
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
    ...peerRoutes(deps),
    firstStepRoutes(deps),
    taskRoutes(deps),
    liveRoutes(deps),
    accessRoutes(deps),
    auditRoutes(deps),
    licenseRoutes(deps),
    configurationRoutes({ ...deps, checkQueries: queryCheck(deps) }),
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
    runningRoutes(deps),
    ...assistantRoutes({ ...deps, guard }, queries),
    jobRoutes(deps),
  ];
}
