import { assertEquals } from "@std/assert";
import { databaseQueryRoutes } from "#src/framework/connectors/sql/database_routes.ts";
import { databasePoolRoutes } from "#src/framework/pools/database_routes.ts";
import { startQueries } from "./queries.ts";

const CONNECTORS = `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      orders:
        sql: |
          select order_no, company, customer_name, status, amount, order_date, row_version, made_at
          from orders where true [[ and status = :status ]] [[ and company = any(:companies) ]]
        params:
          status: { type: string }
          companies: { type: array<string> }
        filter: [order_no, customer_name, status, amount, order_date]
        sort: { default: [order_no] }
        cache: { ttl: 60s }
        table:
          name: orders
          key: [order_no]
          columns: [order_no, company, customer_name, status, amount, order_date]
          insert: true
          update: true
          delete: true
      closing:
        sql: select order_no, status from orders
        table: { name: public.orders, key: [order_no, company], columns: [status], update: true }
      loose:
        sql: select company from orders
        table: { name: orders, key: [company], columns: [status], update: true, delete: true }
      greeting:
        sql: select :language as said, :who::text as who
        params: { language: { type: string }, who: { type: string, required: true } }
      types:
        sql: |
          select 1::int as i, 9007199254740993::bigint as b, 1.50::numeric as d, 123456789012345678.5::numeric as e,
            0.5::float8 as f, true as t, 'x'::text as s, date '2026-02-28' as day,
            timestamptz '2026-02-28 10:00:00+02' as moment, '{"a":1}'::jsonb as j, '\\x00ff'::bytea as bytes, null::int as nothing
      touching:
        sql: select order_no, touch() as n from orders
      broken:
        sql: select nothing from orders
      change:
        mode: write
        sql: update orders set status = 'x'
  crm:
    type: sql
    pool: erp
    queries:
      types:
        sql: select 1 as n
      only_here:
        sql: select 1 as n
`;

/** Starts queries and pools for clients of the database API, on an external database of orders. */
export async function startDatabaseFamily() {
  const it = await startQueries({
    routes: (deps, shared) => [databasePoolRoutes(deps), databaseQueryRoutes(deps, shared)],
  });
  await it.erp.owner.unsafe(
    "create function touch() returns bigint language sql as 'insert into orders select * from orders returning 1::bigint'",
  );
  const pools = `version: 1\npools:\n  erp:\n${it.pool()}  other:\n${it.pool()}`;
  assertEquals((await it.write("pools", pools)).status, 200);
  const written = await it.write("connectors", CONNECTORS);
  assertEquals(written.status, 200, JSON.stringify(written.body));
  const path = (asked: Record<string, string>) =>
    `/api/db/query?${new URLSearchParams({ query: "erp.orders", ...asked })}`;
  return Object.assign(it, {
    read: (asked: Record<string, string> = {}, token = it.admin) =>
      it.call("GET", path(asked), { token }),
    send: (
      method: "POST" | "PUT" | "DELETE",
      body: unknown,
      asked: Record<string, string> = {},
      token = it.admin,
    ) => it.call(method, path(asked), { token, body }),
    rows: async (where = "true") =>
      (await it.erp.owner.unsafe(`select * from orders where ${where} order by order_no`)).map(
        (row) => ({ ...row }),
      ),
  });
}
