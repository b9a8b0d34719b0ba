import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { numberRows, success } from "#src/http/database_answers.ts";
import { translateFor } from "#src/http/errors.ts";
import { needEverything } from "#src/http/guard.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Installation } from "#src/ports/installation.ts";
import type { DatabaseSchema } from "#src/ports/schema.ts";
import type { Spool } from "#src/ports/spool.ts";
import { downgrade, upgrade } from "./change_schema.ts";
import { type Drift, newComparison } from "./drift.ts";
import { exportRepository } from "./export_repository.ts";
import { install } from "./install.ts";
import {
  Current,
  DowngradePath,
  DowngradeQuery,
  InstallBody,
  Installed,
  Migrated,
  Repository,
  Revised,
  RevisionQuery,
} from "./schemas.ts";
import { insertRevision } from "./store.ts";

const JSON_TEXT = { "content-type": "application/json" };
const TAGS = { tags: ["Database"] };
const WRITE = { ...TAGS, method: "post" as const, "x-permission": "setup:write" as const };

const current = route({
  ...TAGS,
  method: "get",
  operationId: "getSetup",
  path: "/api/setup/current",
  "x-permission": "setup:read",
  summary: "Read the version and schema",
  description:
    "For operators. The answer contains the product version, the migrations and differences of the schema.",
  responses: { 200: json(Current, "Version, schema and migrations") },
});
const installation = route({
  ...WRITE,
  operationId: "installDatabase",
  "x-audit": "setup.installed",
  path: "/api/setup/install",
  "x-one-time-token": true,
  summary: "Move to a PostgreSQL server",
  description:
    "For operators of an embedded installation. The data is copied; the next start uses the server. The call also accepts the setup token of the first start once, as `Authorization: Bearer setup-…`.",
  request: { body: body(InstallBody) },
  responses: { 200: json(Installed, "Copied tables"), ...failing(409, 422, 503) },
});
const upgrading = route({
  ...WRITE,
  operationId: "upgradeSchema",
  "x-audit": "schema.upgraded",
  path: "/api/setup/upgrade",
  summary: "Upgrade the schema",
  description: "For operators. All pending migrations are applied.",
  responses: { 200: json(Migrated, "Applied migrations"), ...failing(409) },
});
const downgrading = route({
  ...WRITE,
  operationId: "downgradeSchema",
  "x-audit": "schema.downgraded",
  path: "/api/setup/downgrade/{version}",
  summary: "Downgrade the schema",
  description:
    "For operators. Migrations after `version` are undone. The next start of this product version applies them again.",
  request: { params: DowngradePath, query: DowngradeQuery },
  responses: { 200: json(Migrated, "Undone migrations"), ...failing(404, 409) },
});
const revision = route({
  ...WRITE,
  operationId: "recordSchema",
  "x-audit": "schema.recorded",
  path: "/api/setup/revision",
  summary: "Record the schema",
  description:
    "For operators. The schema is recorded under a name, with its differences from the migrations.",
  request: { query: RevisionQuery },
  responses: { 200: json(Revised, "Recorded revision") },
});
const repository = route({
  ...TAGS,
  method: "get",
  operationId: "exportRepository",
  path: "/api/export/repository",
  "x-permission": "export:read",
  summary: "Export all tables",
  description:
    "For operators. The export is consistent and masks secrets. Rows of all tables require `*`; `export:read` exports the rows of invoices, lines, VAT, findings, runs, applications, modules and themes.",
  responses: { 200: json(Repository, "Tables with their rows"), ...failing(429) },
});

export interface SetupDeps
  extends Pick<Deps, "clock" | "crash" | "database" | "db" | "live" | "log" | "settings"> {
  readonly installation: Installation;
  readonly schema: DatabaseSchema;
  readonly spool: Spool;
}

export function setupRoutes(deps: SetupDeps) {
  const { db, schema } = deps;
  const compare = newComparison(schema);
  const { run: alone } = newSemaphore({
    limit: 1,
    waiting: 0,
    full: () => say`An export or a change of the database is under way; try again`,
  });
  const readVersion = async () => (await schema.state(db)).applied.at(-1)?.version ?? "0000";
  return newRouter("database")
    .openapi(current, async (c) => c.json(await describeSetup(deps, compare), 200))
    .openapi(installation, async (c) => {
      const address = c.req.valid("json");
      const copied = await alone(() => install(deps, { address, by: c.var.actor }));
      const items = numberRows(copied.map(({ table: TABLE_NAME, rows: TABLE_ROWS }) => ({
        TABLE_NAME,
        TABLE_ROWS,
      })));
      const { host, port, database } = address;
      const message = translateFor(
        say`Everything is in ${database} on ${host}:${port}; the next start works on it, and until then nothing is written`,
        c,
      );
      return c.json({ items, status: success, count: items.length, message }, 200);
    })
    .openapi(upgrading, async (c) => {
      const applied = await alone(() => upgrade(deps, c.var.actor));
      return c.json(describeMigrated(applied, await readVersion()), 200);
    })
    .openapi(downgrading, async (c) => {
      const { version: target } = c.req.valid("param");
      const force = c.req.valid("query").force === "true";
      if (force) needEverything(c.var.actor); // it destroys data beyond any single permission
      const undone = await alone(() => downgrade(deps, { target, force, by: c.var.actor }));
      return c.json(describeMigrated(undone, await readVersion()), 200);
    })
    .openapi(revision, async (c) => {
      const version = await readVersion();
      const { fingerprint, drift } = await compare(db, version);
      const { name = `${version} ${deps.clock.now().toISOString()}` } = c.req.valid("query");
      const row = await recordSchema(deps, { name, version, fingerprint, actor: c.var.actor });
      const items = numberRows([describeRevision(row)]);
      return c.json({ items, status: success, count: 1, drift: wireDrift(drift) }, 200);
    })
    .openapi(repository, async (c) => {
      if (c.req.method === "HEAD") return c.body(null, 200, JSON_TEXT) as never; // a HEAD request needs no content
      const { size, read } = await alone(() => exportRepository(deps, c.var.actor));
      return c.body(read(), 200, { ...JSON_TEXT, "content-length": String(size) }) as never;
    });
}

async function describeSetup(deps: SetupDeps, compare: ReturnType<typeof newComparison>) {
  const { db, schema } = deps;
  const { applied, pending } = await schema.state(db);
  const version = applied.at(-1)?.version ?? "0000";
  const { fingerprint, drift } = await compare(db, version);
  const items = numberRows([
    ...applied.map(({ at, ...it }) => getMigration({ ...it, at: at.toISOString() })),
    ...pending.map((it) => getMigration({ ...it, state: "pending", at: null })),
  ]);
  return {
    items,
    status: success,
    count: items.length,
    version: deps.settings.version,
    schema: version,
    latest: schema.latest,
    database: await standing(deps),
    fingerprint,
    drift: wireDrift(drift),
  };
}

/** Stores the fingerprint of the schema under a name. */
async function recordSchema(
  deps: SetupDeps,
  { actor, ...schema }: { name: string; version: string; fingerprint: string; actor: Actor },
) {
  const { name: target, ...after } = schema;
  return await deps.db.transaction(async (tx) => {
    const product = deps.settings.version;
    const row = await insertRevision(tx, { ...schema, product, by: actor.username });
    await recordAudit({ ...deps, db: tx }, { actor, event: "schema.recorded", target, after });
    return row;
  });
}

function describeRevision(row: Awaited<ReturnType<typeof insertRevision>>) {
  return {
    REV_ID: row.id,
    REV_NAME: row.name,
    REV_VERSION: row.version,
    REV_FINGERPRINT: row.fingerprint,
    REV_PRODUCT: row.product,
    REV_BY: row.by,
    REV_AT: row.at.toISOString(),
  };
}

function wireDrift({ lacks, more }: Drift) {
  return { lacks: [...lacks], more: [...more] };
}

async function standing({ database, installation }: SetupDeps) {
  if (!database.embedded) return "server" as const;
  return await installation.isEmbedded() ? "embedded" as const : "moved" as const;
}

type State = "applied" | "changed" | "unknown" | "pending";

function getMigration(
  { version, name, state, at }: { version: string; name: string; state: State; at: string | null },
) {
  return { MIG_VERSION: version, MIG_NAME: name, MIG_STATE: state, MIG_APPLIED_AT: at };
}

function describeMigrated(versions: readonly string[], schema: string) {
  const items = numberRows(versions.map((MIG_VERSION) => ({ MIG_VERSION })));
  return { items, status: success, count: items.length, schema };
}
