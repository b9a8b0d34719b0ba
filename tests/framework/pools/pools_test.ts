import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { embeddedReader } from "#src/adapters/pools/reader.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { DatabasePool } from "#src/ports/pool.ts";
import { deps, embeddedTestDatabase, postgresUrl } from "#tests/support/db.ts";
import { openDatabases } from "#src/framework/pools/mod.ts";
import type { Databases } from "#src/ports/databases.ts";
import type { LogFields } from "#src/ports/log.ts";
import { silentLog } from "#tests/support/log.ts";
import { until } from "#tests/support/until.ts";
import { startQueries } from "#tests/support/queries.ts";

const server = deps("PostgreSQL", postgresUrl);
const LIMITS = { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 };
const getPools = (...pools: string[]) =>
  `version: 1\npools:\n${pools.map((it) => `  ${it}`).join("")}`;

Deno.test({
  name: "a pool of the configuration is opened with its secrets, and read for its tables",
  ...server,
  async fn() {
    await using it = await startQueries({ variables: new Map([["ERP_USER", undefined]]) });
    assertEquals((await it.write("pools", getPools(`erp:\n${it.pool()}`))).status, 200);
    const { status, body } = await it.call("POST", "/api/sql/erp/_schema", { token: it.admin });
    assertEquals([status, body.pool, body.dialect], [200, "erp", "postgres"]);
    const [orders] = body.tables;
    assertEquals([orders.schema, orders.name, orders.kind, orders.primary_key], [
      "public",
      "orders",
      "table",
      ["order_no"],
    ]);
    assertEquals(
      orders.columns.find((column: { name: string }) => column.name === "amount"),
      { name: "amount", type: "decimal", nullable: false },
    );
    assert(!(await it.text("pools")).includes("password: erp"), "the password is sealed");
    assertEquals((await it.call("POST", "/api/sql/none/_schema", { token: it.admin })).status, 404);
    const { token } = await it.userWith("viewer", ["sql:*:*"]);
    const denied = await it.call("POST", "/api/sql/none/_schema", { token });
    assertEquals([denied.status, denied.body.permission], [403, "connectors:read"]);
  },
});

Deno.test({
  name: "a section may use only listed variables, and no error reveals a value",
  ...server,
  async fn() {
    await using it = await startQueries({
      variables: new Map([["ERP_PASSWORD", "erp"], ["ERP_HOST", undefined]]),
    });
    const open = async (pool: string) => {
      const written = await it.write("pools", getPools(`erp:\n${pool}`));
      assertEquals(written.status, 200, JSON.stringify(written.body));
      return await it.call("POST", "/api/sql/erp/_schema", { token: it.admin });
    };
    const own = it.pool();
    assertEquals(
      (await open(own.replace("password: erp", "password: ${ERP_PASSWORD}"))).status,
      200,
    );
    const host = /host: .*/;
    const fallback = await open(own.replace(host, "host: ${ERP_HOST:-127.0.0.1}"));
    assertEquals(fallback.status, 200);
    const unset = await open(own.replace(host, "host: ${ERP_HOST}"));
    assertEquals([unset.status, unset.body.detail], [
      500,
      "The pool erp cannot be opened: The variable ERP_HOST is not set",
    ]);
    const stolen = await open(own.replace(host, "host: ${SECRET_KEY:-127.0.0.1}"));
    assertEquals(stolen.status, 500);
    assertMatch(stolen.body.detail, /Sections must not use the variable SECRET_KEY/);
  },
});

Deno.test({
  name:
    "a database that is away is 503 with its cause for holders of settings, and comes back; a pool whose connections are in use is 503 at once",
  ...server,
  async fn() {
    const logged: LogFields[] = [];
    const warn = (event: string, fields: LogFields = {}) =>
      void (event === "pool.unreachable" && logged.push(fields));
    await using it = await startQueries({ log: { ...silentLog, warn } });
    const gone = it.pool().replace(/port: .*/, "port: 1");
    await it.write("pools", getPools(`erp:\n${gone}`));
    const away = await it.call("POST", "/api/sql/erp/_schema", { token: it.admin });
    assertEquals([away.status, away.headers.get("retry-after")], [503, "5"]);
    assertMatch(
      away.body.detail,
      /^The database cannot be reached: .*:1 \(ECONNREFUSED\); check the server and the port$/,
    );
    const { token } = await it.userWith("reader", ["connectors:read"]);
    const plain = await it.call("POST", "/api/sql/erp/_schema", { token });
    assertEquals([plain.status, plain.body.detail], [503, "The database cannot be reached"]);
    assertEquals(logged.map((it) => it["pool"]), ["erp"], "once for all calls");
    assertMatch(String(logged[0]?.["reason"]), /:1 \(ECONNREFUSED\)/);
    const stranger = it.pool().replace(/user: .*/, "user: nobody_at_all");
    await it.write("pools", getPools(`erp:\n${stranger}`));
    const refused = await it.call("POST", "/api/sql/erp/_schema", { token: it.admin });
    assertMatch(refused.body.detail, /answered but refuses the account: .*nobody_at_all/);
    const narrow = it.pool("    connections: { max: 1, acquire_timeout: 1s }\n");
    await it.write("pools", getPools(`erp:\n${narrow}`));
    const { pool } = await it.databases.use(it.configuration.current(), "erp");
    const holding = pool.read({ text: "select pg_sleep(5)", values: [] }, LIMITS);
    const full = await it.call("POST", "/api/sql/erp/_schema", { token: it.admin });
    assertEquals([full.status, full.headers.get("retry-after"), full.body.detail], [
      503,
      "1",
      "All connections of the database are in use",
    ]);
    await holding;
    assertEquals((await it.call("POST", "/api/sql/erp/_schema", { token: it.admin })).status, 200);
  },
});

Deno.test({
  name: "a reload replaces a pool without failing its callers, and reports pools in use",
  ...server,
  async fn() {
    await using it = await startQueries();
    const told: unknown[] = [];
    it.deps.live.subscribe((event) => event.type === "pool.stats" && told.push(event.data));
    await it.write("pools", getPools(`erp:\n${it.pool("    stats_interval: 500ms\n")}`));
    const before = it.configuration.current();
    const { pool } = await it.databases.use(before, "erp");
    const slow = pool.read({ text: "select pg_sleep(2), 7", values: [] }, LIMITS);
    await until(() => told.length > 0, "the statistics");
    assertEquals(told[0], {
      pool: "erp",
      driver: "postgres",
      open: 1,
      busy: 1,
      waiting: 0,
      max: 10,
    });
    await it.write("pools", getPools(`erp:\n${it.pool("    connections: { max: 2 }\n")}`));
    await until(() => it.configuration.current() !== before, "the reload");
    const after = await it.databases.use(it.configuration.current(), "erp");
    assert(after.pool !== pool);
    assertEquals(after.pool.stats().max, 2);
    assertEquals((await slow).rows.map((row) => row[1]), [7]);
    await until(async () =>
      (await it.erp.owner`select 1 from pg_stat_activity where usename = ${it.erp.role}`).length ===
        0
    );
    // A caller that started before continues with the old pool.
    const old = await it.databases.use(before, "erp");
    assertEquals((await old.pool.read({ text: "select 1", values: [] }, LIMITS)).rows, [[1]]);
  },
});

Deno.test({
  name: "a SQLite file must be where pools may read, after links are resolved",
  ...server,
  async fn() {
    await using it = await startQueries();
    const tried = async (file: string) => {
      await it.write("pools", `version: 1\npools:\n  file: { driver: sqlite, file: ${file} }\n`);
      return await it.call("POST", "/api/sql/file/_schema", { token: it.admin });
    };
    await Deno.mkdir(`${it.dataDir}/.private`);
    await Deno.symlink("/etc", `${it.dataDir}/etc`);
    for (
      const file of ["/etc/passwd", "../x.db", ".private/x.db", "etc/passwd", "/proc/self/mem"]
    ) {
      const { status, body } = await tried(file);
      assertEquals(status, 500, file);
      assertMatch(body.detail, /is outside the folders that pools may use/);
    }
    const { pool } = await openedFile(it);
    await pool.write(
      LIMITS,
      (tx) =>
        tx.run({ text: "create table t (id integer primary key, made date)", values: [] }, LIMITS),
    );
    const { status, body } = await tried("erp.db");
    assertEquals([status, body.tables[0].columns.map((it: { type: string }) => it.type)], [
      200,
      ["integer", "date"],
    ]);

    async function openedFile(from: typeof it) {
      await tried("erp.db");
      return await from.databases.use(from.configuration.current(), "file");
    }
  },
});

Deno.test({
  name: "a driver without its package names the package and its installation",
  ...server,
  async fn() {
    await using it = await startQueries();
    for (const [driver, name] of [["mssql", "mssql"], ["oracle", "oracledb"]]) {
      const pool = `{ driver: ${driver}, host: 127.0.0.1, port: 15999, database: x, user: x }`;
      await it.write("pools", `version: 1\npools:\n  far: ${pool}\n`);
      const { status, body } = await it.call("POST", "/api/sql/far/_schema", { token: it.admin });
      assertEquals(status, 500);
      assertMatch(body.detail, new RegExp(`needs the package ${name}: npm install ${name}@`));
    }
  },
});

/** Data that a query of the product's own database must never reach. */
const FORBIDDEN = [
  "select * from public.users",
  "select * from public.templates",
  "select set_config('role', 'none', true), query_to_xml('select * from public.users', true, false, '')",
  "select query_to_xml('select set_config(''role'', ''postgres'', true)', true, false, ''), query_to_xml('select * from public.users', true, false, '')",
  "select pg_read_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  "insert into invoices (doc) values ('1')",
];

async function holdReader(pool: DatabasePool) {
  const ask = (text: string) => pool.read({ text, values: [] }, LIMITS);
  assertEquals((await ask("select count(*) from invoices")).rows, [["0"]]);
  assertEquals((await pool.tables(LIMITS)).map((it) => `${it.schema}.${it.name}`), [
    "passerelle.audit",
    "passerelle.deliveries",
    "passerelle.findings",
    "passerelle.invoice_history",
    "passerelle.invoice_lines",
    "passerelle.invoice_vat",
    "passerelle.invoices",
    "passerelle.runs",
  ]);
  for (const text of FORBIDDEN) {
    const { code } = await assertRejects(() => ask(text), AppError);
    assert(["refused", "misconfigured"].includes(code), text);
  }
}

Deno.test({
  name:
    "the pool passerelle reads the product's views and nothing else of its database, on a server",
  ...server,
  async fn() {
    await using it = await startQueries();
    const { pool, readOnly } = await it.databases.use(it.configuration.current(), "passerelle");
    assertEquals(readOnly, true);
    await holdReader(pool);
    const taken = await it.write("pools", getPools(`passerelle:\n${it.pool()}`));
    assertEquals(taken.status, 422);
    assertMatch(taken.body.detail, /The pool passerelle is the product's own database/);
  },
});

Deno.test("the pool passerelle reads the product's views and nothing else, embedded", async () => {
  await using database = await embeddedTestDatabase();
  const pool = await embeddedReader(database.client);
  await holdReader(pool);
  await assertRejects(
    () => pool.read({ text: "select pg_sleep(1)", values: [] }, LIMITS),
    AppError,
  );
  await database.client.query("select set_config('application_name', 'the product', false)");
});

Deno.test({
  name:
    "a pool that is opened by hand is closed to queries of every process until somebody opens it, and after it was closed",
  ...server,
  async fn() {
    await using it = await startQueries();
    const other = openDatabases(it.needs, it.opening);
    await it.write("pools", getPools(`erp:\n${it.pool("    open: manual\n")}`));
    const look = async (languages = "en") => {
      const { status, body } = await it.call("POST", "/api/sql/erp/_schema", {
        token: it.admin,
        headers: { "x-service-lang": languages },
      });
      return [status, body.detail];
    };
    const snapshot = it.configuration.current();
    const isOpen = (databases: Databases) =>
      databases.use(snapshot, "erp").then(() => true, (error) => {
        if (error.code !== "unavailable") throw error;
        return false;
      });
    const list = async () => (await it.databases.list(it.configuration.current()))[1];
    assertEquals(await list(), {
      ...{
        name: "erp",
        driver: "postgres",
        source: "settings",
        state: "closed",
        connections: undefined,
      },
    });
    assertEquals(await look("fr"), [
      503,
      "Le pool erp est fermé jusqu'à ce que quelqu'un l'ouvre : GET /api/db/open?target_pool=erp",
    ]);
    assertEquals(await isOpen(other), false);
    await it.databases.open(snapshot, "erp", { username: "ann" });
    assertEquals(await look(), [200, undefined]);
    assertEquals((await list())?.state, "open");
    // A connection becomes free a moment after its answer, when its transaction has ended.
    await until(async () => (await list())?.connections?.busy === 0, "its connection is free");
    await until(() => isOpen(other), "the other process hears of it");
    const { pool } = await other.use(snapshot, "erp");
    const slow = pool.read({ text: "select pg_sleep(1), 7", values: [] }, LIMITS);
    await it.databases.disconnect(snapshot, "erp", { username: "ann" });
    assertEquals((await look())[0], 503);
    assertEquals((await slow).rows, [["", 7]], "what is under way ends");
    await until(async () => !(await isOpen(other)), "the other process hears of it");
    await assertRejects(
      () => it.databases.disconnect(snapshot, "passerelle", { username: "ann" }),
      AppError,
      "The product's own database is not closed",
    );
    await assertRejects(
      () => it.databases.open(snapshot, "none", { username: "ann" }),
      AppError,
      "There is no pool named none",
    );
    await other.close();
  },
});

Deno.test({
  name:
    "a pool that cannot be reached is not opened by hand, and one that is opened on demand stays closed after somebody closed it",
  ...server,
  async fn() {
    const logged: LogFields[] = [];
    const warn = (event: string, fields: LogFields = {}) =>
      void (event === "pool.unreachable" && logged.push(fields));
    await using it = await startQueries({ log: { ...silentLog, warn } });
    const gone = it.pool("    open: manual\n").replace(/port: .*/, "port: 1");
    await it.write("pools", getPools(`erp:\n${gone}`, `free:\n${it.pool()}`));
    const snapshot = it.configuration.current();
    const by = { username: "ann" };
    await assertRejects(
      () => it.databases.open(snapshot, "erp", by),
      AppError,
      "cannot be reached",
    );
    await assertRejects(() => it.databases.use(snapshot, "erp"), AppError, "is closed until");
    const before = await it.databases.use(snapshot, "free");
    await it.databases.open(snapshot, "free", by);
    await it.databases.disconnect(snapshot, "free", by);
    await assertRejects(() => it.databases.use(snapshot, "free"), AppError, "is closed until");
    await it.databases.open(snapshot, "free", by);
    const after = await it.databases.use(snapshot, "free");
    assert(after.pool !== before.pool);
    assertEquals(after.pool.stats().open, 1);
  },
});
