import { assertEquals, assertMatch } from "@std/assert";
import mysql from "mysql2/promise";
import { deps, mysqlServer, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { startQueries } from "#tests/support/queries.ts";

const QUERIES = `
      orders:
        sql: |
          select id, name, amount, made, big from orders where 1 = 1 [[ and id in (:ids) ]] [[ and made >= :from ]]
        params: { ids: { type: array<integer> }, from: { type: date } }
        filter: [id, name, amount, made]
        sort: { allow: [amount], default: [-made, id] }
        page: { default: 3, mode: keyset, key: [made, id] }
      rename:
        mode: write
        sql: update orders set name = :name where id = :id
        params: { name: { type: string }, id: { type: integer } }
        affects: { max: 1 }
        audit: { table: orders, key: [id] }
      everything: { mode: write, sql: delete from orders, affects: { max: 5 } }
`;

const TABLE =
  "create table orders (id int primary key, name varchar(50), amount decimal(12,2), made date, big bigint)";
const ROWS = Array.from(
  { length: 20 },
  (_, at) =>
    `(${at + 1}, 'order ${at + 1}', '${((at + 1) * 1.1).toFixed(2)}', '2026-01-0${
      at % 5 + 1
    }', 9007199254740993)`,
).join(", ");

type Started = Awaited<ReturnType<typeof startQueries>>;

/** Asserts that named queries work in the same way on every database. */
async function holdQueries(it: Started, pool: string, queries = QUERIES) {
  const pools = await it.write("pools", `version: 1\npools:\n  erp: ${pool}\n`);
  assertEquals(pools.status, 200, JSON.stringify(pools.body));
  const text =
    `version: 1\nconnectors:\n  erp:\n    type: sql\n    pool: erp\n    queries:${queries}`;
  const dry = await it.write("connectors", text, { query: "?dry_run=true" });
  assertEquals(dry.body.queries.refused, []);
  const written = await it.write("connectors", text);
  assertEquals(written.status, 200, JSON.stringify(written.body));
  const read = async (query: string) => {
    const { status, body } = await it.call("GET", `/api/sql/erp/orders?${query}`, {
      token: it.admin,
    });
    assertEquals(status, 200, `${query} ${JSON.stringify(body)}`);
    return body;
  };
  const send = (name: string, body: unknown) =>
    it.call("POST", `/api/sql/erp/${name}`, { token: it.admin, body });
  const ids = async (query: string) =>
    (await read(`limit=50&${query}`)).items.map((row: { id: number }) => row.id);
  const first = (await read("ids=2")).items[0];
  assertEquals([first.id, first.name, Number(first.amount), first.made, first.big], [
    2,
    "order 2",
    2.2,
    "2026-01-02",
    "9007199254740993",
  ]);
  assertEquals(typeof first.amount, "string");
  assertEquals(await ids("ids=3&ids=1"), [3, 1]);
  assertEquals(await ids("from=2026-01-05"), [5, 10, 15, 20]);
  const q = (filter: unknown) => `q=${encodeURIComponent(JSON.stringify(filter))}`;
  assertEquals(await ids(q([{ name: { contains: "ORDER 1" } }, { id: { in: [1, 10, 2] } }])), [
    10,
    1,
  ]);
  assertEquals(await ids(q([{ amount: { between: ["2.20", 3.3] } }])), [3, 2]);
  assertEquals(await ids(q([{ name: { "!=": "order 1" } }, { id: { "<": 3 } }])), [2]);
  assertEquals(await ids(q([{ name: { starts_with: "order_" } }])), []);
  assertEquals((await read("count=exact")).count, 20);
  for (const sort of ["", "&sort=-amount"]) {
    const found: number[] = [];
    let after = "";
    do {
      const { items, next } = await read(`limit=6${sort}${after}`);
      found.push(...items.map((row: { id: number }) => row.id));
      after = next ? `&after=${next}` : "";
    } while (after);
    assertEquals(found, await ids(sort));
  }
  const renamed = await send("rename:write", { id: 1, name: "it's; -- \\ :id" });
  assertEquals([renamed.status, renamed.body.affected], [200, 1], JSON.stringify(renamed.body));
  assertEquals((await read("ids=1")).items[0].name, "it's; -- \\ :id");
  await send("rename:write", { id: 2, name: "Hôtel d'Été [a*c?] ^50 %" });
  const isFound = async (condition: Record<string, string>) =>
    (await ids(q([{ name: condition }, { id: { "=": 2 } }]))).length === 1;
  for (const part of ["HOTEL D'ETE", "hôtel", "[A*C?] ^50 %", "É", "tèl"]) {
    assertEquals([part, await isFound({ contains: part })], [part, true]);
  }
  for (const part of ["htel", "[ac]", "a_c", "a%50", "d.Été", "*"]) {
    assertEquals([part, await isFound({ contains: part })], [part, part === "*"]);
  }
  assertEquals(await isFound({ starts_with: "HOTEL" }), true);
  assertEquals(await isFound({ starts_with: "otel" }), false);
  assertEquals(await isFound({ ends_with: "^50 %" }), true);
  await send("rename:write", { id: 2, name: "Bœuf, coelacanthe" });
  const isLetterwise = pool.includes("driver: mysql"); // LIKE compares one letter with one letter
  for (const part of ["BOEUF", "bœuf, cœl"]) {
    assertEquals([part, await isFound({ contains: part })], [part, !isLetterwise]);
  }
  assertEquals(await isFound({ ends_with: "^50" }), false);
  const guarded = await send("everything:write", {});
  assertEquals(guarded.status, 409);
  assertMatch(guarded.body.detail, /change: 20; expected: 0 to 5\. Nothing was changed/);
  assertEquals((await read("count=exact")).count, 20);
}

Deno.test({
  name: "named queries are the same on MariaDB",
  ...deps("MariaDB", mysqlServer?.host),
  ignore: mysqlServer === undefined || postgresUrl === undefined,
  async fn() {
    const admin = await mysql.createConnection({ ...mysqlServer, multipleStatements: true });
    const name = `q${crypto.randomUUID().slice(0, 8)}`;
    await admin.query(`create database ${name}; create user ${name}@'%' identified by 'erp';
      grant select, insert, update, delete on ${name}.* to ${name}@'%'; use ${name}; ${TABLE}; insert into orders values ${ROWS}`);
    try {
      await using it = await startQueries();
      await holdQueries(
        it,
        `{ driver: mysql, host: ${mysqlServer?.host}, database: ${name}, user: ${name}, password: erp, ssl: { mode: disable } }`,
      );
    } finally {
      await admin.query(`drop database ${name}; drop user ${name}@'%'`);
      await admin.end();
    }
  },
});

Deno.test({
  name: "named queries are the same on PostgreSQL",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using erp = await erpDatabase(
      postgresUrl ?? "",
      `${TABLE}; insert into orders values ${ROWS}; grant select, insert, update, delete on orders to {role}`,
    );
    await using it = await startQueries();
    const { hostname, port, pathname, username } = new URL(erp.url);
    await holdQueries(
      it,
      `{ driver: postgres, host: ${hostname}, port: ${port || 5432}, database: ${
        pathname.slice(1)
      }, user: ${username}, password: erp, ssl: { mode: disable } }`,
      QUERIES.replace("id in (:ids)", "id = any(:ids)"),
    );
  },
});

Deno.test({
  name: "named queries are the same on a file of SQLite",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using it = await startQueries();
    const pool = "{ driver: sqlite, file: erp.db }";
    await it.write("pools", `version: 1\npools:\n  erp: ${pool}\n`);
    const opened = await it.databases.use(it.configuration.current(), "erp");
    for (const text of [TABLE, `insert into orders values ${ROWS}`]) {
      await opened.pool.write(
        { timeoutMs: 20_000 },
        (tx) => tx.run({ text, values: [] }, { maxRows: 1, maxBytes: 100 }),
      );
    }
    await holdQueries(it, pool);
  },
});
