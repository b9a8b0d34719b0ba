import process from "node:process";
import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { assertEquals } from "@std/assert";
import mysql from "mysql2/promise";
import { openPgliteInMemory } from "#tests/support/memory_database.ts";
import { mysqlPool } from "#src/adapters/pools/mysql/pool.ts";
import { pglitePool } from "#src/adapters/pools/pglite/pool.ts";
import { postgresPool } from "#src/adapters/pools/postgres/pool.ts";
import { sqlitePool } from "#src/adapters/pools/sqlite/pool.ts";
import { deps, mysqlServer, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { silentLog } from "#tests/support/log.ts";
import { POOL_CONTRACT, type PoolSetting } from "./pool.ts";

const CONNECTIONS = { min: 0, max: 4, acquireMs: 2_000, idleMs: 30_000, lifetimeMs: 600_000 };
const SESSION = { applicationName: "contract", timeZone: "UTC", idleInTransactionMs: 10_000 };
const COMMON = { connections: CONNECTIONS, session: SESSION };

const TABLES = `
  create table orders (id int primary key, name varchar(50), amount decimal(12,2), made date, big bigint);
  create table order_lines (id int primary key, order_id int, foreign key (order_id) references orders (id));`;
const ROWS = Array.from({ length: 20 }, (_, at) => at + 1).map((id) =>
  `(${id}, 'order ${id}', '${(id * 1.1).toFixed(2)}', '2026-01-${
    String(id + 1).padStart(2, "0")
  }', 9007199254740993 + ${id})`
).join(", ");
const SCRIPT = `${TABLES} insert into orders values ${ROWS};`;

type Check = (setting: PoolSetting) => Promise<void>;

const DATABASES: Readonly<Record<string, { ignore: boolean; with(check: Check): Promise<void> }>> =
  {
    "PostgreSQL": {
      ...deps("PostgreSQL", postgresUrl),
      async with(check) {
        const grants = "grant select, insert, update, delete on orders, order_lines to {role};";
        await using erp = await erpDatabase(postgresUrl ?? "", SCRIPT + grants);
        const pool = postgresPool({ url: erp.url, ...COMMON });
        const gone = postgresPool({ url: "postgres://x@127.0.0.1:1/x", ...COMMON });
        const running = async () =>
          (await erp
            .owner`select 1 from pg_stat_activity where usename = ${erp.role} and state = 'active'`)
            .length;
        await check({ pool, gone, slow: "select pg_sleep(600)", running, hasManyWriters: true });
        await close(pool, gone);
      },
    },
    "PGlite": {
      ignore: false,
      async with(check) {
        await using database = await openPgliteInMemory();
        await database.client.exec(SCRIPT);
        await database.client.exec(
          "create role reader; grant all on orders, order_lines to reader",
        );
        const pool = pglitePool(database.client, { role: "reader" });
        const gone = sqlitePool({ file: "/nowhere/at.all", readOnly: true }, CHILD); // this database always exists
        const running = () => Promise.resolve(0);
        await check({ pool, gone, slow: undefined, running, boundsStreams: true });
        assertEquals(
          (await database.client.query("select name from pg_cursors where name <> ''")).rows,
          [],
        );
        await close(pool, gone);
      },
    },
    "SQLite": {
      ignore: false,
      async with(check) {
        const folder = await mkdtemp(join(tmpdir(), "passerelle-sqlite-"));
        const pool = sqlitePool({ file: join(folder, "erp.db"), readOnly: false }, CHILD);
        const limits = { timeoutMs: 20_000 };
        for (const text of SCRIPT.split(";").filter((it) => it.trim())) {
          await pool.write(
            limits,
            (tx) => tx.run({ text, values: [] }, { maxRows: 1, maxBytes: 100 }),
          );
        }
        const gone = sqlitePool({ file: "/nowhere/at.all", readOnly: true }, CHILD);
        const slow =
          "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1e11) select max(i) from n";
        // Answers show whether a child process still works: a waiting writer then proceeds.
        let asked = 0;
        await check({ pool, gone, slow, running: () => Promise.resolve(asked++ === 0 ? 1 : 0) });
        await close(pool, gone);
        await rm(folder, { recursive: true });
      },
    },
    "MariaDB": {
      ...deps("MariaDB", mysqlServer?.host),
      async with(check) {
        const server = mysqlServer ?? { host: "", user: "", password: "" };
        const admin = await mysql.createConnection({ ...server, multipleStatements: true });
        const name = `t${crypto.randomUUID().slice(0, 8)}`;
        await admin.query(`create database ${name}; create user ${name}@'%' identified by 'erp';
        grant select, insert, update, delete on ${name}.* to ${name}@'%'; use ${name}; ${SCRIPT}`);
        const settings = {
          ...COMMON,
          host: server.host,
          database: name,
          user: name,
          password: "erp",
          ssl: { mode: "disable" as const },
        };
        const pool = mysqlPool(settings);
        const gone = mysqlPool({ ...settings, port: 1 });
        const running = async () => {
          const [rows] = await admin.query(
            "select 1 from information_schema.processlist where user = ? and command = 'Execute'",
            [name],
          );
          return (rows as unknown[]).length;
        };
        await check({ pool, gone, slow: "select sleep(600)", running, hasManyWriters: true });
        await close(pool, gone);
        await admin.query(`drop database ${name}; drop user ${name}@'%'`);
        await admin.end();
      },
    },
  };

const CHILD = {
  log: silentLog,
  environment: {
    HOME: homedir(),
    PATH: process.env["PATH"] ?? "",
    DENO_DIR: process.env["DENO_DIR"] ?? "",
  },
};

async function close(...pools: { close(): Promise<void> }[]) {
  for (const pool of pools) await pool.close().catch(() => {});
}

for (const [database, { ignore, with: on }] of Object.entries(DATABASES)) {
  for (const [promise, check] of Object.entries(POOL_CONTRACT)) {
    Deno.test({ name: `a pool of ${database}: ${promise}`, ignore, fn: () => on(check) });
  }
}
