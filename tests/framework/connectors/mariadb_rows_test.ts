import { assert, assertEquals, assertMatch } from "@std/assert";
import mysql from "mysql2/promise";
import { databaseQueryRoutes } from "#src/framework/connectors/sql/database_routes.ts";
import { databasePoolRoutes } from "#src/framework/pools/database_routes.ts";
import { deps, mysqlServer, postgresUrl } from "#tests/support/db.ts";
import { startQueries } from "#tests/support/queries.ts";

const TABLES = `
create table orders (order_no varchar(20) primary key, status varchar(20) not null, amount decimal(18,2), big bigint,
  data json, said longtext, bytes blob);
insert into orders values ('A', 'open', 10.50, 9007199254740993, '{"a": [1, "é"]}', '{"a": 1}', x'00ff');
create table order_lines (order_no varchar(20), line int, qty int, primary key (order_no, line));
insert into order_lines values ('A', 1, 1), ('A', 2, 2);`;
const QUERIES = `
      orders:
        sql: select * from orders
        sort: { default: [order_no] }
        table: { name: orders, key: [order_no], columns: [order_no, status, amount, big, data, said, bytes],
          insert: true, update: true, delete: true }
      lines:
        sql: select * from order_lines
        table: { name: order_lines, key: [order_no, line], columns: [qty], update: true, delete: true }
      of_order:
        sql: select * from order_lines
        table: { name: order_lines, key: [order_no], columns: [qty], update: true, delete: true }
`;

Deno.test({
  name:
    "rows of MariaDB are read, written and counted as those of PostgreSQL, and its JSON is JSON",
  ...deps("MariaDB", mysqlServer?.host),
  ignore: mysqlServer === undefined || postgresUrl === undefined,
  async fn() {
    const admin = await mysql.createConnection({ ...mysqlServer, multipleStatements: true });
    const name = `q${crypto.randomUUID().slice(0, 8)}`;
    await admin.query(`create database ${name}; create user ${name}@'%' identified by 'erp';
      grant select, insert, update, delete on ${name}.* to ${name}@'%'; use ${name}; ${TABLES}`);
    try {
      await using it = await startQueries({
        routes: (deps, shared) => [databasePoolRoutes(deps), databaseQueryRoutes(deps, shared)],
      });
      const pool =
        `{ driver: mysql, host: ${mysqlServer?.host}, database: ${name}, user: ${name}, password: erp, ssl: { mode: disable } }`;
      await it.write("pools", `version: 1\npools:\n  erp: ${pool}\n`);
      const written = await it.write(
        "connectors",
        `version: 1\nconnectors:\n  erp:\n    type: sql\n    pool: erp\n    queries:${QUERIES}`,
      );
      assertEquals(written.status, 200, JSON.stringify(written.body));
      const ask = (method: string, query: string, body?: unknown) =>
        it.call(method, `/api/db/query?query=erp.${query}`, { token: it.admin, body });
      const get = (path: string) => it.call("GET", path, { token: it.admin });

      const read = (await ask("GET", "orders")).body;
      assertEquals(
        read.metadata.map((it: { type: string }) => it.type).join(),
        "str,str,float,int,UNKNOWN,str,bytes",
      );
      const { ROW_ID: _, ...row } = read.items[0];
      assertEquals([row.BIG, row.AMOUNT, row.DATA, row.SAID], [
        "9007199254740993",
        10.5,
        { a: [1, "é"] },
        '{"a": 1}',
      ]);
      const again = await ask("POST", "orders", { ...row, ORDER_NO: "B", SAID: "it's \\ -- :x" });
      assertEquals([again.status, again.body.count], [200, 1], JSON.stringify(again.body));
      const [, copy] = (await ask("GET", "orders")).body.items;
      assertEquals(copy, { ...row, ROW_ID: 2, ORDER_NO: "B", SAID: "it's \\ -- :x" });

      assertEquals((await ask("PUT", "lines", { ORDER_NO: "A", LINE: 2, QTY: 7 })).body.count, 1);
      assertEquals((await ask("PUT", "lines", { ORDER_NO: "A", LINE: 9, QTY: 7 })).body.count, 0);
      assertEquals((await ask("PUT", "lines", { ORDER_NO: "A", QTY: 7 })).status, 400);
      for (const method of ["PUT", "DELETE"]) {
        const line = { ORDER_NO: "A", ...method === "PUT" && { QTY: 9 } };
        const many = await ask(method, "of_order", line);
        assertEquals([many.status, many.body.message.count], [409, 0], JSON.stringify(many.body));
      }
      assertEquals((await ask("DELETE", "orders", { ORDER_NO: "B" })).body.count, 1);
      const [lines] = await admin.query("select line, qty from order_lines order by line");
      assertEquals(lines, [{ line: 1, qty: 1 }, { line: 2, qty: 7 }] as never);

      const { rows } = (await get("/api/db/check?target_pool=erp")).body;
      assert(Math.abs(Date.parse(rows[0].CURRENT_DATE) - Date.now()) < 120_000, rows);
      assertEquals((await get("/api/db/close?pool=erp")).status, 200);
      const refused = await ask("GET", "orders");
      assertEquals(refused.status, 503);
      assertMatch(refused.body.message.items[0].message, /The pool erp is closed/);
      assertEquals((await get("/api/db/open?target_pool=erp")).status, 200);
      assertEquals((await ask("GET", "orders")).body.count, 1);
    } finally {
      await admin.query(`drop database ${name}; drop user ${name}@'%'`);
      await admin.end();
    }
  },
});
