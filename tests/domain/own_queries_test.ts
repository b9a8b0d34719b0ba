import { assertEquals } from "@std/assert";
import { problemOfOwnQuery } from "#src/domain/connector/mod.ts";

const RUN = [
  "select count(*), sum(total_ttc)::numeric(12,2) from invoices where status in ('10', '212') group by (status)",
  "with a as materialized (select * from runs) select coalesce(max(total), 0) over (partition by mode) from a",
  "select extract(year from issue_date), date_trunc('month', issue_date), 'pg_sleep(1)' from invoices",
  "select case when (total_ttc > 0) then (1) else (0) end from invoices where exists (select 1) [[ and (doc = :doc) ]]",
  "select sum(total_ttc) filter (where direction = 'issued') from invoices -- generate_series(1, 2)",
  "select replace(replace(total_ttc::text, '.', ','), ' ', ''), replace(lower(doc), 'l''an', 'an') from invoices",
];
const REFUSED: readonly (readonly [string, string])[] = [
  ["select pg_advisory_lock(1)", "pg_advisory_lock is not a function allowed"],
  ["select PG_SLEEP (9)", "PG_SLEEP is not a function allowed"],
  ["select pg_catalog . pg_sleep(9)", "pg_sleep is not a function allowed"],
  ['select "pg_sleep"(9)', "a quoted name cannot be called"],
  ['select U&"pg\\005fsleep"(9)', "names are written without escapes"],
  [
    "select count(*) from generate_series(1, 1000000000)",
    "generate_series is not a function allowed",
  ],
  ["with recursive n as (select 1) select * from n", "nothing recursive"],
  [
    "select query_to_xml('select pg_sleep(9)', true, true, '')",
    "query_to_xml is not a function allowed",
  ],
  ["select pg_sleep/* */(9)", "pg_sleep is not a function allowed"],
  ["select pg_sleep -- a\n(9)", "pg_sleep is not a function allowed"],
  ["select repeat('x', 100000000)", "repeat is not a function allowed"],
  ["select replace(replace('aaaa', 'a', 'aaaa'), 'a', 'aaaa')", "replace takes two constant"],
  ["select replace(doc, 'a', (select doc from invoices))", "replace takes two constant"],
  ["select replace(doc, $longer$a$longer$, 'aaaa')", "replace takes two constant"],
  ["select replace(doc, E'\\x41', 'aaa'), replace(doc, 'a', :by)", "replace takes two constant"],
  ["select lo_get(1), pg_read_file('x')", "lo_get is not a function allowed"],
];

Deno.test("queries on the product's own database may only call listed functions", () => {
  for (const sql of RUN) assertEquals(problemOfOwnQuery(sql), undefined, sql);
  for (const [sql, why] of REFUSED) {
    const problem = String(problemOfOwnQuery(sql));
    assertEquals(problem.includes(why), true, `${sql}: ${problem}`);
  }
});
