/**
 * Measures the queries of the starter application on 100,000 invoices, for the first page: median times in the
 * database. `deno run -A bench/starter.ts` with `TEST_DATABASE_URL`.
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { sql } from "drizzle-orm";
import pg from "pg";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { getParts } from "#src/domain/connector/mod.ts";
import { writeQuery } from "#src/framework/connectors/sql/prepare_query.ts";
import { writeStatement } from "#src/framework/connectors/sql/statement.ts";
import { postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { fillLists } from "#tests/support/lists.ts";
import { median } from "./table.ts";

const ROWS = 100_000;
const ROUNDS = 15;
const VALUES = new Map([
  ["year", { type: "integer", value: 2025 }],
  ["currency", { type: "string", value: "EUR" }],
  ["from", { type: "date", value: "2025-12-01" }],
  ["doc", { type: "string", value: "50000" }],
  ["dct", { type: "string", value: "RI" }],
  ["kco", { type: "string", value: "00009" }],
]);
/** Spread over one year, so that a month, the usual filter, contains a twelfth. */
const MORE = [
  `update invoices set created_at = timestamptz '2025-01-01' + id * interval '1 year' / ${ROWS}`,
  `update findings set created_at = timestamptz '2025-01-01' + id * interval '1 year' / ${ROWS}`,
  `insert into invoice_vat (invoice_id, seq, tax_category, tax_rate, taxable_amount, tax_amount, currency, direction, issue_date)
    select id, 1, 'S', (array[20, 10, 5.5])[1 + id % 3], total_ht, total_ht * 0.2, currency, direction, issue_date from invoices`,
  `insert into lifecycle_events (invoice_id, seq, status_code, source, occurred_at)
    select id, 100 + s, (array['200', '10', '205'])[s], 'pa', created_at + s * interval '90 s'
      + (id % 50) * interval '1 s' from invoices, generate_series(1, 3) s`,
  "vacuum analyze",
];

await using home = await testDatabaseUrl(postgresUrl ?? "");
await using database = openPostgres(home.url);
await fillLists(database.db, ROWS);
for (const statement of MORE) await database.db.execute(sql.raw(statement));
const client = new pg.Client(home.url);
await client.connect();
const file = new URL("../src/definitions/starter/connectors.yaml", import.meta.url);
const { value } = yamlTexts.read(readFileSync(file, "utf8"));
for (const [connector, { queries }] of Object.entries((value as Connectors).connectors)) {
  for (const [name, { sql: query, sort }] of Object.entries(queries)) {
    const writer = writeStatement("postgres");
    const own = writeQuery(getParts(query, "postgres"), { values: VALUES, writer });
    const order = sort?.default?.map((it) => it.startsWith("-") ? `${it.slice(1)} desc` : it);
    const { text, values } = writer.statement(
      `select * from (${own}\n) q ${order ? `order by ${order.join(", ")}` : ""} limit 51`,
    );
    const taken: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { rows } = await client.query(`explain (analyze, timing off, format json) ${text}`, [
        ...values,
      ]);
      taken.push(rows[0]["QUERY PLAN"][0]["Execution Time"]);
    }
    const [least = 0] = taken.sort((a, b) => a - b);
    process.stdout.write(
      `${connector}.${name}: ${median(taken).toFixed(1)} ms (least ${least.toFixed(1)})\n`,
    );
  }
}
await client.end();

interface Connectors {
  readonly connectors: Readonly<
    Record<string, {
      readonly queries: Readonly<
        Record<string, { readonly sql: string; readonly sort?: { readonly default?: string[] } }>
      >;
    }>
  >;
}
