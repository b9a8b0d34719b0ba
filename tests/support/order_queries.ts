import { assertEquals } from "@std/assert";
import { startQueries } from "#tests/support/queries.ts";

export const CONNECTORS = `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      orders:
        sql: |
          select order_no, customer_name, status, amount, order_date, row_version, made_at
          from orders
          where true
            [[ and status = any(:status) ]] -- kept with its value only
            [[ and order_date >= :from ]]
            [[ and company = :company ]]
        params:
          status: { type: array<string> }
          from: { type: date }
          company: { type: string, enum: ["00001", "00002"] }
        filter: [order_no, customer_name, status, amount, order_date]
        sort: { allow: [order_no, amount, order_date], default: [order_no] }
        page: { default: 10, max: 60 }
      paged:
        sql: select order_no, order_date, amount from orders
        sort: { allow: [amount], default: [-order_date, order_no] }
        page: { default: 30, mode: keyset, key: [order_date, order_no] }
      mine:
        sql: select :who as who, count(*) as n from orders
        params: { who: { type: string, from: user.username } }
      filtered:
        sql: select order_no, company from orders
        row_filter:
          "role of one": company = '00001'
          "role of two": company = '00002' and :user.username <> ''
        page: { default: 100 }
      guarded:
        sql: select order_no, company, status, amount, order_date from orders where true [[ and status = :status ]]
        params: { status: { type: string } }
        filter: [order_no, company, amount, order_date]
        sort: { allow: [order_no, company], default: [order_no] }
        row_filter: { "role of one": company = '00001' }
        page: { default: 100 }
      slow:
        sql: select pg_sleep(:seconds)
        params: { seconds: { type: number, required: true } }
        timeout: 300ms
      costly:
        sql: select a.order_no from orders a [[ , orders b where b.order_no <> :other ]]
        params: { other: { type: string } }
        max_cost: 10
      sneaky:
        sql: select touch() as n
      zero:
        sql: select 1 / (count(*) - count(*)) as one from orders
      broken:
        sql: select nothing from orders
      counted:
        sql: select count(*) as n, random() as r from orders
        cache: { ttl: 60s }
      types:
        sql: |
          select 1::int as i, 9007199254740993::bigint as b, 1.50::numeric as d, 0.5::float8 as f, true as t, 'x' as s,
            date '2026-02-28' as day, timestamptz '2026-02-28 10:00:00+02' as moment, '{"a":1}'::jsonb as j,
            array[1,2] as list, '\\x00ff'::bytea as bytes, null::int as nothing
      close:
        mode: write
        sql: |
          update orders set status = 'closed', row_version = row_version + 1
          where order_no = :order_no and row_version = :row_version returning order_no, status, row_version
        params:
          order_no: { type: string, required: true, pattern: "^SO-[0-9]{8}$" }
          row_version: { type: integer, required: true }
        affects: { min: 1, max: 1 }
        audit: { table: orders, key: [order_no] }
        invalidates: [counted]
      insert:
        mode: write
        sql: insert into orders (order_no, company, status, amount, order_date) values (:no, '1', 'open', :amount, '2026-01-01')
        params: { no: { type: string }, amount: { type: decimal } }
`;

/** Starts a database of orders, a connector to it, and the product that serves both. */
export async function startOrders() {
  const it = await startQueries();
  await it.erp.owner.unsafe(
    "create function touch() returns bigint language sql as 'insert into orders select * from orders returning 1::bigint'",
  );
  const pools = await it.write("pools", `version: 1\npools:\n  erp:\n${it.pool()}`);
  assertEquals(pools.status, 200, JSON.stringify(pools.body));
  const written = await it.write("connectors", CONNECTORS);
  assertEquals(written.status, 200, JSON.stringify(written.body));
  await it.heard(2);
  const read = (path: string, token = it.admin) =>
    it.call("GET", `/api/sql/erp/${path}`, { token });
  const send = (path: string, body: unknown = {}, token = it.admin) =>
    it.call("POST", `/api/sql/erp/${path}`, { token, body });
  return Object.assign(it, { read, send });
}
