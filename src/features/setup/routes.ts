import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { numbered, success } from "#src/http/database_answers.ts";
import { translated } from "#src/http/errors.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError } from "#src/kernel/errors.ts";
import { oneAtATime } from "#src/kernel/one_at_a_time.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Installation } from "#src/ports/installation.ts";
import type { Schema } from "#src/ports/schema.ts";
import type { Spool } from "#src/ports/spool.ts";
import { downgrade, upgrade } from "./change_schema.ts";
import { newComparison } from "./drift.ts";
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

/** Throws AppError `forbidden` for whoever may not do everything. */
function needEverything({ permissions }: Actor): void {
  if (permissions.codes.includes("*")) return;
  const missing = say`The permission ${"*"} is missing`;
  throw new AppError("forbidden", missing, { details: { permission: "*" } });
}

const JSON_TEXT = { "content-type": "application/json" };
const TAGS = { tags: ["Database"] };
const WRITE = { ...TAGS, method: "post" as const, "x-permission": "setup:write" as const };

const current = route({
  ...TAGS,
  method: "get",
  operationId: "getSetup",
  path: "/api/setup/current",
  "x-permission": "setup:read",
  summary: "The deployed version, its migrations, and how the schema differs from what they make",
  responses: { 200: json(Current, "The migrations by version") },
});
const installation = route({
  ...WRITE,
  operationId: "installDatabase",
  "x-audit": "setup.installed",
  path: "/api/setup/install",
  "x-one-time-token": true,
  summary: "Moves an embedded installation to a PostgreSQL server, which the next start uses",
  description:
    "Also with the token that was told at the first start, as `Authorization: Bearer setup-…`; once",
  request: { body: body(InstallBody) },
  responses: { 200: json(Installed, "The tables that were copied"), ...failing(409, 422, 503) },
});
const upgrading = route({
  ...WRITE,
  operationId: "upgradeSchema",
  "x-audit": "schema.upgraded",
  path: "/api/setup/upgrade",
  summary: "Brings the schema up to date",
  responses: { 200: json(Migrated, "The versions that were applied"), ...failing(409) },
});
const downgrading = route({
  ...WRITE,
  operationId: "downgradeSchema",
  "x-audit": "schema.downgraded",
  path: "/api/setup/downgrade/{version}",
  summary:
    "Takes the schema back to a version; the next start of this version of the product brings it up again",
  request: { params: DowngradePath, query: DowngradeQuery },
  responses: { 200: json(Migrated, "The versions that were undone"), ...failing(404, 409) },
});
const revision = route({
  ...WRITE,
  operationId: "recordSchema",
  "x-audit": "schema.recorded",
  path: "/api/setup/revision",
  summary:
    "Records the present schema under a name, and tells how it differs from what its migrations make",
  request: { query: RevisionQuery },
  responses: { 200: json(Revised, "The revision") },
});
const repository = route({
  ...TAGS,
  method: "get",
  operationId: "exportRepository",
  path: "/api/export/repository",
  "x-permission": "export:read",
  summary: "All tables with their columns and rows, of one moment, secrets masked",
  description:
    "Rows of every table need `*`; `export:read` alone gives those of invoices, lines, VAT, findings, runs, applications, modules and themes",
  responses: { 200: json(Repository, "One document"), ...failing(429) },
});

export interface SetupNeeds
  extends Pick<Deps, "clock" | "crash" | "database" | "db" | "live" | "log" | "settings"> {
  readonly installation: Installation;
  readonly schema: Schema;
  readonly spool: Spool;
}

export function setupRoutes(deps: SetupNeeds) {
  const { db, schema } = deps;
  const compare = newComparison(schema);
  const alone = oneAtATime(
    say`An export or a change of the database is under way; try again`,
  );
  const versionOf = async () => (await schema.state(db)).applied.at(-1)?.version ?? "0000";
  return newRouter("database")
    .openapi(current, async (c) => {
      const { applied, pending } = await schema.state(db);
      const version = applied.at(-1)?.version ?? "0000";
      const { fingerprint, drift } = await compare(db, version);
      const items = numbered([
        ...applied.map(({ at, ...it }) => migrationOf({ ...it, at: at.toISOString() })),
        ...pending.map((it) => migrationOf({ ...it, state: "pending", at: null })),
      ]);
      return c.json({
        items,
        status: success,
        count: items.length,
        version: deps.settings.version,
        schema: version,
        latest: schema.latest,
        database: await standing(deps),
        fingerprint,
        drift: { lacks: [...drift.lacks], more: [...drift.more] },
      }, 200);
    })
    .openapi(installation, async (c) => {
      const address = c.req.valid("json");
      const copied = await alone(() => install(deps, { address, by: c.var.actor }));
      const items = numbered(copied.map(({ table: TABLE_NAME, rows: TABLE_ROWS }) => ({
        TABLE_NAME,
        TABLE_ROWS,
      })));
      const { host, port, database } = address;
      const message = translated(
        say`Everything is in ${database} on ${host}:${port}; the next start works on it, and until then nothing is written`,
        c,
      );
      return c.json({ items, status: success, count: items.length, message }, 200);
    })
    .openapi(upgrading, async (c) => {
      const applied = await alone(() => upgrade(deps, c.var.actor));
      return c.json(migrated(applied, await versionOf()), 200);
    })
    .openapi(downgrading, async (c) => {
      const { version: target } = c.req.valid("param");
      const force = c.req.valid("query").force === "true";
      if (force) needEverything(c.var.actor); // it destroys what no other right may
      const undone = await alone(() => downgrade(deps, { target, force, by: c.var.actor }));
      return c.json(migrated(undone, await versionOf()), 200);
    })
    .openapi(revision, async (c) => {
      const version = await versionOf();
      const { fingerprint, drift } = await compare(db, version);
      const { name = `${version} ${deps.clock.now().toISOString()}` } = c.req.valid("query");
      const { username: by } = c.var.actor;
      const product = deps.settings.version;
      const row = await db.transaction(async (tx) => {
        const made = await insertRevision(tx, { name, version, fingerprint, product, by });
        const event = "schema.recorded";
        const after = { version, fingerprint };
        await recordAudit({ ...deps, db: tx }, { actor: c.var.actor, event, target: name, after });
        return made;
      });
      const items = numbered([{
        REV_ID: row.id,
        REV_NAME: row.name,
        REV_VERSION: row.version,
        REV_FINGERPRINT: row.fingerprint,
        REV_PRODUCT: row.product,
        REV_BY: row.by,
        REV_AT: row.at.toISOString(),
      }]);
      const differences = { lacks: [...drift.lacks], more: [...drift.more] };
      return c.json({ items, status: success, count: 1, drift: differences }, 200);
    })
    .openapi(repository, async (c) => {
      if (c.req.method === "HEAD") return c.body(null, 200, JSON_TEXT) as never; // nothing is read for nobody
      const { size, read } = await alone(() => exportRepository(deps, c.var.actor));
      return c.body(read(), 200, { ...JSON_TEXT, "content-length": String(size) }) as never;
    });
}

async function standing({ database, installation }: SetupNeeds) {
  if (!database.embedded) return "server" as const;
  return await installation.isEmbedded() ? "embedded" as const : "moved" as const;
}

type State = "applied" | "changed" | "unknown" | "pending";

function migrationOf(
  { version, name, state, at }: { version: string; name: string; state: State; at: string | null },
) {
  return { MIG_VERSION: version, MIG_NAME: name, MIG_STATE: state, MIG_APPLIED_AT: at };
}

function migrated(versions: readonly string[], schema: string) {
  const items = numbered(versions.map((MIG_VERSION) => ({ MIG_VERSION })));
  return { items, status: success, count: items.length, schema };
}
