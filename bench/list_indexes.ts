import { sql } from "drizzle-orm";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import type { Db } from "#src/ports/db.ts";
import { postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { fillInvoices } from "#tests/support/lists.ts";
import { ROWS } from "./list.ts";
import { median, type Row } from "./table.ts";

const ROUNDS = 3;
/** Changes of status of the newest invoices, one by one in one transaction. */
const CHANGES = 20_000;
const MORE = [0, 2, 10] as const;

/** What would have the invoices of each of several statuses in these orders, in the order of what is asked for most. */
const INDEXES = [
  "customer_sort, issue_date, id",
  "left(supplier_name, 100), issue_date, id",
  "due_date, issue_date, id",
  "amount_due, id",
  "ubl_number, id",
  "left(invoice_type, 100), issue_date, id",
  "left(currency, 100), issue_date, id",
  "left(customer_ref, 100), issue_date, id",
  "total_ht, id",
  "created_at, id",
];

/** What more indexes for pairs of a filter and an order would cost each change of an invoice's status, in turns. */
export async function listIndexes(): Promise<Row[]> {
  if (!postgresUrl) {
    return [{ what: "indexes of lists", figure: "skipped", note: "TEST_DATABASE_URL" }];
  }
  await using database = await testDatabaseUrl(postgresUrl);
  await using open = openPostgres(database.url, { max: 1 });
  await fillInvoices(open.db, ROWS);
  const taken = new Map<number, number[]>(MORE.map((it) => [it, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const more of round % 2 ? MORE.toReversed() : MORE) {
      taken.get(more)?.push(await withMore(open.db, more));
    }
  }
  const without = median(taken.get(0) ?? []);
  return [...taken].map(([more, ms]) => ({
    what: `a change of status, ${ROWS} invoices, ${more} more indexes`,
    figure: `${(median(ms) / CHANGES).toFixed(2)} ms`,
    note: `× ${(median(ms) / without).toFixed(2)}; ${
      ms.map((it) => (it / CHANGES).toFixed(2)).join(", ")
    }`,
  }));
}

async function withMore(db: Db, more: number): Promise<number> {
  const names = INDEXES.slice(0, more).map((_, i) => `more_${i}`);
  for (const [i, name] of names.entries()) {
    await db.execute(sql.raw(`create index ${name} on invoices (status, ${INDEXES[i]})`));
  }
  await db.execute(sql`vacuum analyze invoices`);
  await db.execute(sql`checkpoint`);
  const begin = performance.now();
  await db.execute(sql.raw(`do $$ begin
    for i in 1..${CHANGES} loop
      update invoices set status = case status when '205' then '212' else '205' end, status_at = now()
      where id = ${ROWS} - (i::bigint * 7919) % ${CHANGES};
    end loop;
  end $$`));
  const ms = performance.now() - begin;
  for (const name of names) await db.execute(sql.raw(`drop index ${name}`));
  return ms;
}
