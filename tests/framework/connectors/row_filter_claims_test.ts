import { assertEquals } from "@std/assert";
import mysql from "mysql2/promise";
import { deps, mysqlServer, postgresUrl } from "#tests/support/db.ts";
import { startQueries } from "#tests/support/queries.ts";

const SCRIPT = [
  "create table people (name varchar(20), company varchar(20), number int)",
  "insert into people values ('ann', 'A', 0), ('bob', 'B', 7), ('cid', '0', 1), ('dan', '7', 1), ('eve', 'true', 1)",
];
const QUERIES = `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      by_text: { sql: "select name, company, number from people", row_filter: { "role of marie": "company = :claims.company" } }
      by_number: { sql: "select name, company, number from people", row_filter: { "role of marie": "number = :claims.company" } }
      by_list: { sql: "select name, company, number from people", row_filter: { "role of marie": "company in (:claims.company)" } }
      mode: { sql: select @@sql_mode as mode }
`;

type Started = Awaited<ReturnType<typeof startQueries>>;

/** Reads with claims of every JSON type; a claim never matches a row with another text or number. */
async function holdClaims(it: Started, pool: string, queries = QUERIES) {
  await it.write("pools", `version: 1\npools:\n  erp: ${pool}\n`);
  const written = await it.write("connectors", queries);
  assertEquals(written.status, 200, JSON.stringify(written.body));
  const marie = await it.userWith("marie", ["sql:*:*"]);
  const names = async (query: string, company: unknown) => {
    const claims = { company };
    await it.call("PUT", "/admin/users/marie", { token: it.admin, body: { claims } });
    const { status, body } = await it.call("GET", `/api/sql/erp/${query}`, { token: marie.token });
    assertEquals(status, 200, JSON.stringify(body));
    return body.items.map((row: { name: string }) => row.name).sort().join();
  };
  assertEquals(await names("by_text", 0), "cid");
  assertEquals(await names("by_text", "0"), "cid");
  assertEquals(await names("by_text", 7), "dan");
  assertEquals((await names("by_text", false)).includes("ann"), false);
  assertEquals((await names("by_text", true)).includes("ann"), false);
  assertEquals(await names("by_list", [0, 7]), "cid,dan");
  assertEquals(await names("by_number", 0), "ann");
  assertEquals(await names("by_number", 7), "bob");
}

Deno.test({
  name:
    "a claim 0 or false shows no further rows on MariaDB, whose sessions have the product's sql_mode",
  ...deps("MariaDB", mysqlServer?.host),
  ignore: mysqlServer === undefined || postgresUrl === undefined,
  async fn() {
    const admin = await mysql.createConnection({ ...mysqlServer, multipleStatements: true });
    const name = `q${crypto.randomUUID().slice(0, 8)}`;
    await admin.query(`create database ${name}; create user ${name}@'%' identified by 'erp';
      grant select on ${name}.* to ${name}@'%'; use ${name}; ${SCRIPT.join(";")}`);
    try {
      await using it = await startQueries();
      await holdClaims(
        it,
        `{ driver: mysql, host: ${mysqlServer?.host}, database: ${name}, user: ${name}, password: erp, ssl: { mode: disable } }`,
      );
      const { body } = await it.call("GET", "/api/sql/erp/mode", { token: it.admin });
      assertEquals(
        body.items[0].mode,
        "STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION",
      );
    } finally {
      await admin.query(`drop database ${name}; drop user ${name}@'%'`);
      await admin.end();
    }
  },
});

Deno.test({
  name: "a claim 0 or false shows no further rows on a file of SQLite",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using it = await startQueries();
    const pool = "{ driver: sqlite, file: erp.db }";
    await it.write("pools", `version: 1\npools:\n  erp: ${pool}\n`);
    const opened = await it.databases.use(it.configuration.current(), "erp");
    for (const text of SCRIPT) {
      await opened.pool.write(
        { timeoutMs: 20_000 },
        (tx) => tx.run({ text, values: [] }, { maxRows: 1, maxBytes: 100 }),
      );
    }
    await holdClaims(it, pool, QUERIES.replace(/^ +mode: .*\n/m, ""));
  },
});
