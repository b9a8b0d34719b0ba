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
  queryCheck,
  type QueryState,
  resultCache,
  type WriteGuard,
} from "#src/framework/connectors/mod.ts";
import { sqlRoutes } from "#src/framework/connectors/sql/routes.ts";
import { chartRoutes } from "#src/framework/charts/routes.ts";
import { dashboardRoutes } from "#src/framework/dashboards/routes.ts";
import { dictionaryRoutes } from "#src/framework/dictionary/routes.ts";
import { openDatabases } from "#src/framework/pools/mod.ts";
import type { DatabasesOptions } from "#src/framework/pools/open_databases.ts";
import { poolRoutes } from "#src/framework/pools/routes.ts";
import { recordGuard } from "#src/framework/screens/mod.ts";
import { screenRoutes } from "#src/framework/screens/routes.ts";
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

type QueryDeps =
  & Parameters<NonNullable<NonNullable<Parameters<typeof startSettings>[0]>["routes"]>>[0]
  & Pick<Deps, "databases">
  & { readonly guard: WriteGuard };

/** Starts settings administration, pools and queries in one process, next to an external database. */
export async function startQueries(
  { variables = new Map(), log = silentLog, routes }: {
    log?: Log;
    variables?: ReadonlyMap<string, string | undefined>;
    /** Additional routes of the test. */
    routes?: (deps: QueryDeps, shared: QueryState) => readonly OpenAPIHono<HttpEnv>[];
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
    checkQueries: (...asked) => {
      const { databases, needs } = held;
      if (!databases || !needs) throw new Error("No databases");
      return queryCheck({ ...needs, databases })(...asked);
    },
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
        egress: httpEgress({ privateHosts: ["127.0.0.1"] }),
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
    /** Dependencies with which another process of the same fleet opens its databases. */
    needs,
    opening,
    erp,
    dataDir,
    /** Section text of a pool of the external database. */
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
