import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import { isolatedChartPainter } from "#src/adapters/echarts/isolated.ts";
import { micromarkMarkdown } from "#src/adapters/markdown/micromark.ts";
import { writeWorkbook } from "#src/adapters/xlsx/write_workbook.ts";
import { poolOpener } from "#src/adapters/pools/open_pool.ts";
import { serverReader } from "#src/adapters/pools/reader.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import {
  newShared,
  resultCache,
  type Shared,
  type WriteGuard,
} from "#src/features/connectors/mod.ts";
import { sqlRoutes } from "#src/features/connectors/sql/routes.ts";
import { chartRoutes } from "#src/features/charts/routes.ts";
import { dashboardRoutes } from "#src/features/dashboards/routes.ts";
import { dictionaryRoutes } from "#src/features/dictionary/routes.ts";
import { openDatabases } from "#src/features/pools/mod.ts";
import type { DatabasesOptions } from "#src/features/pools/open_databases.ts";
import { poolRoutes } from "#src/features/pools/routes.ts";
import { recordGuard } from "#src/features/screens/mod.ts";
import { screenRoutes } from "#src/features/screens/routes.ts";
import type { Deps } from "#src/deps.ts";
import type { HttpEnv } from "#src/http/env.ts";
import type { Databases } from "#src/ports/databases.ts";
import type { Database } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { postgresUrl, testDatabaseUrl } from "./db.ts";
import { type ErpDatabase, erpDatabase } from "./erp_database.ts";
import { silentLog } from "./log.ts";
import { startSettings } from "./settings.ts";

const SCRIPT = `
  create table orders (order_no text primary key, company text not null, customer_name text, status text not null,
    amount numeric(12,2) not null, currency text not null default 'EUR', order_date date not null,
    row_version bigint not null default 1, made_at timestamptz not null default '2026-01-01T10:00:00Z', check (amount >= 0));
  insert into orders select 'SO-' || lpad(n::text, 8, '0'), case when n % 3 = 0 then '00002' else '00001' end,
    'Customer ' || n, case when n % 2 = 0 then 'open' else 'closed' end, n * 10.01, 'EUR', date '2026-01-01' + n % 30, 1
    from generate_series(1, 100) n;
  grant select, insert, update, delete on orders to {role};`;

type QueryNeeds =
  & Parameters<NonNullable<NonNullable<Parameters<typeof startSettings>[0]>["routes"]>>[0]
  & Pick<Deps, "databases">
  & { readonly guard: WriteGuard };

/** The settings administration, pools and queries as one process serves them, beside a database of somebody else. */
export async function startQueries(
  { variables = new Map(), log = silentLog, routes }: {
    log?: Log;
    variables?: ReadonlyMap<string, string | undefined>;
    /** Further routes of the test's own. */
    routes?: (needs: QueryNeeds, shared: Shared) => readonly OpenAPIHono<HttpEnv>[];
  } = {},
) {
  const erp: ErpDatabase = await erpDatabase(postgresUrl ?? "", SCRIPT);
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-queries-"));
  const own = await testDatabaseUrl(postgresUrl ?? "");
  const database: Database = openPostgres(own.url, { max: 10 });
  const environment = {
    HOME: homedir(),
    PATH: process.env["PATH"] ?? "",
    DENO_DIR: process.env["DENO_DIR"] ?? "",
  };
  const entry = new URL("../../src/processes/chart_process.ts", import.meta.url);
  const chartPainter = isolatedChartPainter({ entry, log, environment });
  const held: {
    databases?: Databases;
    needs?: Parameters<typeof openDatabases>[0];
    opening?: DatabasesOptions;
  } = {};
  const settings = await startSettings({
    on: database,
    log,
    routes: (deps) => {
      const opening: DatabasesOptions = {
        open: poolOpener({
          log,
          dataDir,
          privateDir: join(dataDir, ".private"),
          sqliteDirs: [],
          environment,
        }),
        own: () =>
          serverReader(database.db, { url: own.url, given: undefined, secret: "of the tests" }),
        variables,
      };
      const databases = openDatabases(deps, opening);
      Object.assign(held, { databases, needs: deps, opening });
      const needs = { ...deps, databases };
      const shared = newShared(resultCache(needs));
      const guarded = { ...needs, guard: recordGuard(needs, shared) };
      const reading = {
        ...needs,
        cache: shared.cache,
        chartPainter,
        egress: httpEgress(),
        markdown: micromarkMarkdown,
      };
      return [
        poolRoutes(needs),
        sqlRoutes(guarded, shared),
        dictionaryRoutes(needs, shared),
        screenRoutes({ ...needs, spreadsheets: writeWorkbook }, shared),
        ...routes?.(guarded, shared) ?? [],
        chartRoutes(reading, shared),
        dashboardRoutes(reading, shared),
      ];
    },
  });
  const { databases, needs, opening } = held;
  if (!databases || !needs || !opening) throw new Error("No databases");
  const stop = new AbortController();
  const following = databases.run(stop.signal);
  const address = new URL(erp.url);
  return {
    ...settings,
    databases,
    /** What another process of the same fleet opens its databases with. */
    needs,
    opening,
    erp,
    dataDir,
    /** A pool of the database of somebody else, as it stands in the section. */
    pool: (more = "") =>
      `    driver: postgres
    host: ${address.hostname}
    port: ${address.port || 5432}
    database: ${address.pathname.slice(1)}
    user: ${erp.role}
    password: erp
    ssl: { mode: disable }
${more}`,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
      await databases.close();
      await chartPainter.close();
      await settings[Symbol.asyncDispose]();
      const reader = "select rolname from pg_roles where rolname like 'passerelle_reader_%'";
      const views = "passerelle";
      await database.script(`do $$ declare r text; begin
        for r in ${reader} and has_schema_privilege(rolname, '${views}', 'usage') loop
          execute format('drop owned by %I; drop role %I', r, r);
        end loop; end $$`);
      await database[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
      await erp[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
