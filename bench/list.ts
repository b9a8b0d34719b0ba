import { sql } from "drizzle-orm";
import { listInvoices } from "#src/features/invoices/views.ts";
import type { Database } from "#src/ports/db.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";
import { median, type Row } from "./table.ts";

const ROWS = 100_000;
const ROUNDS = 30;

const VIEWS = {
  "newest first": { filter: {}, sortBy: "issueDate" },
  "one status, by amount": { filter: { status: "9906" }, sortBy: "totalTTC" },
  "search in number and customer": { filter: { search: "helios 77" }, sortBy: "issueDate" },
} as const;

/** A page of 50 with its total, on 100,000 invoices. */
export async function listPage(): Promise<Row[]> {
  const rows = await measure("PGlite", await testDatabase());
  if (!postgresUrl) return rows;
  return [...rows, ...await measure("PostgreSQL", await testDatabase(postgresUrl))];
}

async function measure(name: string, database: Database): Promise<Row[]> {
  await using open = database;
  await open.db.execute(sql`insert into invoices
    (doc, dct, kco, ubl_number, issue_date, invoice_type, currency, total_ht, total_ttc, amount_due, customer_ref, customer_name, status, search_text)
    select n::text, 'RI', '00001', 'RI-' || n, date '2026-01-01' + (n % 320)::int, '380', 'EUR', n % 9000, n % 9000 * 1.2, n % 9000 * 1.2,
      (400000000 + n % 900)::text, 'Groupe Hélios ' || n % 900, (array['10','9906','9907','9901'])[1 + n % 4], 'ri-' || n || ' groupe helios ' || n % 900
    from generate_series(1, ${sql.raw(String(ROWS))}) n`);
  await open.db.execute(sql`analyze invoices`);
  const rows: Row[] = [];
  for (const [view, { filter, sortBy }] of Object.entries(VIEWS)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begin = performance.now();
      const page = { page: 1 + round % 5, pageSize: 50, sortDir: "desc" as const };
      await listInvoices(open.db, { filter, page, sortBy, language: "fr" });
      times.push(performance.now() - begin);
    }
    rows.push({
      what: `list of 50 on 100,000, ${view}, ${name}`,
      figure: `${median(times).toFixed(1)} ms`,
    });
  }
  return rows;
}
