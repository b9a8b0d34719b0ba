import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import type { InvoiceFilter } from "#src/gateway/invoices/filter_views.ts";
import { countByStatus, listInvoices } from "#src/gateway/invoices/list_views.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { deps, postgresUrl, testDatabase } from "#tests/support/db.ts";

Deno.test("totals and statistics follow changes of invoices", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await insert(db, 10);
  await db.execute(sql`update invoices set status = '10' where doc in ('1', '2', '3', '4')`);
  await db.execute(sql`update invoices set status = '212', direction = 'received' where doc = '1'`);
  await db.execute(sql`update invoices set invoice_type = '381' where doc in ('2', '3')`);
  await db.execute(sql`update invoices set amount_due = 0, kco = '00002' where doc = '4'`);
  await db.execute(sql`delete from invoices where doc = '10'`);
  assertEquals(await computeTotal(db, {}), 9);
  assertEquals(await computeTotal(db, { status: ["10", "212"] }), 4);
  assertEquals(await computeTotal(db, { direction: "issued", status: ["212"] }), 0);
  assertEquals(await computeTotal(db, { kco: "00001", dct: "RI", payable: false }), 2);
  assertEquals(await computeTotal(db, { payable: true }), 6);
  assertEquals(await readStatistics(db, {}), [["10", 3], ["212", 1], ["9901", 5]]);
  const days = { dateFrom: "2026-01-03", dateTo: "2026-01-06" };
  assertEquals(await readStatistics(db, days), [["10", 2], ["9901", 2]]);
});

Deno.test("totals are counted up to a thousand or the end of the page, statistics further", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await insert(db, 1_003);
  const count = async (filter: InvoiceFilter, page: number) => {
    const { total, totalIsCapped } = await list(db, filter, page);
    return { total, totalIsCapped };
  };
  const all = { total: 1_003, totalIsCapped: false };
  const capped = { total: 1_000, totalIsCapped: true };
  for (const filter of [{}, { status: ["9901"] }, { dct: "RI" }]) {
    assertEquals(await count(filter, 1), capped);
    assertEquals(await count(filter, 201), all);
  }
  assertEquals(await readStatistics(db, {}), [["9901", 1_003]]);
});

Deno.test("statistics count each status up to ten thousand", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await insert(db, 10_003);
  await db.execute(sql`update invoices set status = '10' where doc in ('1', '2')`);
  const count = async () =>
    (await countByStatus(db, {}, "en")).map((it) => [it.status, it.count, it.countIsCapped]);
  assertEquals(await count(), [["10", 2, false], ["9901", 10_000, true]]);
  await db.execute(sql`delete from invoices where doc = '3'`);
  assertEquals(await count(), [["10", 2, false], ["9901", 10_000, false]]);
  assertEquals(await readStatistics(db, { dateTo: "2026-01-04" }), [["10", 2], ["9901", 1]]);
});

Deno.test({
  name: "a list that takes too long ends, and its error says what to do",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using database = await testDatabase(postgresUrl);
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table invoices`);
      const error = await assertRejects(() => list(database.db, { dct: "RI" }, 1), AppError);
      assertEquals(error.code, "overdue");
      assertMatch(error.message, /took longer than 5 s: add filters/);
    });
  },
});

Deno.test("nobody pays a credit note, nor an invoice of which nothing is left", async () => {
  await using database = await testDatabase();
  const isPayable = async (type: string | null, due: number | null) => {
    const found = await database.db.execute(sql`select is_payable(${type}, ${due}) as it`);
    return getRows<{ it: boolean }>(found)[0]?.it;
  };
  for (let code = 1; code <= 999; code++) {
    assertEquals(await isPayable(String(code), 10), !CREDIT_NOTES.has(String(code)), `${code}`);
  }
  const told = [];
  for (const type of [null, "", "380"]) {
    for (const due of [null, -1, 0, 0.01]) told.push(await isPayable(type, due));
  }
  assertEquals(told, [null, "", "380"].flatMap(() => [true, false, false, true]));
});

async function insert(db: Db, n: number): Promise<void> {
  await db.execute(sql`insert into invoices (doc, dct, kco, status, issue_date)
    select n::text, 'RI', '00001', '9901', date '2026-01-01' + n - 1 from generate_series(1, ${n}::int) n`);
}

async function list(db: Db, filter: InvoiceFilter, page: number) {
  const asked = { page, pageSize: 5 };
  return await listInvoices(db, {
    filter,
    page: asked,
    sortBy: "fedoc",
    sortDir: "asc",
    language: "en",
  });
}

async function computeTotal(db: Db, filter: InvoiceFilter): Promise<number> {
  return (await list(db, filter, 1)).total;
}

async function readStatistics(db: Db, filter: Parameters<typeof countByStatus>[1]) {
  return (await countByStatus(db, filter, "en")).map((it) => [it.status, it.count]);
}
