import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { countByStatus, listInvoices } from "#src/features/invoices/list_views.ts";
import { mergeCounts } from "#src/features/invoices/mod.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import { needs, postgresUrl, testDatabase, testDatabaseUrl } from "#tests/support/db.ts";

Deno.test("the kept counts follow every insert, change and removal, and what is rolled back never counted", async () => {
  await using database = await testDatabase();
  await followChanges(database.db, database.db);
});

Deno.test({
  name:
    "connections count side by side without waiting, and what they have counted is put together",
  ...needs("PostgreSQL", postgresUrl),
  async fn() {
    await using made = await testDatabaseUrl(postgresUrl ?? "");
    await using one = openPostgres(made.url, { max: 1 });
    {
      await using two = openPostgres(made.url, { max: 1 });
      await followChanges(one.db, two.db);
      await one.db.transaction(async (tx) => {
        await insert(tx, { from: 100, to: 104 });
        await insert(two.db, { from: 105, to: 107 }); // commits while the other is open
        await mergeCounts(two.db); // so does this
        await insert(tx, { from: 108, to: 109 });
      });
    }
    await insert(one.db, { from: 110, to: 110 });
    const slots = async () => {
      const found = await one.db.execute(sql`select count(distinct slot)::int as n from (
        select slot from invoice_counts union all select slot from invoice_group_counts) it`);
      return rowsOf<{ n: number }>(found)[0]?.n;
    };
    assertEquals(await slots(), 2);
    assertEquals(await totalOf(one.db, {}), 20);
    await mergeCounts(one.db);
    assertEquals(await slots(), 1);
    assertEquals(await totalOf(one.db, {}), 20);
    assertEquals(await totalOf(one.db, { kco: "00001", payable: true }), 20);
  },
});

async function followChanges(one: Db, two: Db): Promise<void> {
  await insert(one, { from: 1, to: 10 });
  await two.execute(
    sql`update invoices set status = '10' where id in (select id from invoices order by id limit 4)`,
  );
  await one.execute(
    sql`update invoices set status = '212', direction = 'received' where doc = '1'`,
  );
  await two.execute(sql`delete from invoices where doc = '10'`);
  await one.execute(sql`update invoices set currency = 'EUR'`);
  await one.transaction(async (tx) => {
    await insert(tx, { from: 20, to: 29 });
    throw new Error("undone");
  }).catch(() => {});
  assertEquals(await totalOf(two, {}), 9);
  assertEquals(await totalOf(two, { status: ["10"] }), 3);
  assertEquals(await totalOf(two, { status: ["10", "212"] }), 4);
  assertEquals(await totalOf(two, { direction: "received" }), 1);
  assertEquals(await totalOf(two, { direction: "issued", status: ["212"] }), 0);
  assertEquals(await totalOf(two, { kco: "00001" }), 9);
  assertEquals(await totalOf(two, { dct: "RI", status: ["10"] }), 3);
  assertEquals(await totalOf(two, { kco: "00001", dct: "RI", direction: "received" }), 1);
  assertEquals(await totalOf(two, { kco: "00002" }), 0);
  assertEquals(await totalOf(two, { payable: true }), 9);
  await one.execute(sql`update invoices set invoice_type = '381' where doc in ('2', '3')`);
  await two.execute(sql`update invoices set amount_due = 0 where doc = '4'`);
  assertEquals(await totalOf(two, { payable: false }), 3);
  assertEquals(await totalOf(one, { kco: "00001", status: ["10"], payable: true }), 0);
  await one.execute(sql`update invoices set invoice_type = null, amount_due = 5`);
  assertEquals(await totalOf(two, { payable: false }), 0);
  await one.execute(sql`update invoices set kco = '00002' where doc in ('2', '3')`);
  assertEquals(await totalOf(two, { kco: "00001" }), 7);
  assertEquals(await totalOf(two, { kco: "00002", status: ["10"] }), 2);
  await one.execute(sql`update invoices set kco = '00001' where doc in ('2', '3')`);
  const stats = (await countByStatus(two, {}, "en")).map((it) => [it.status, it.count]);
  assertEquals(stats, [["10", 3], ["212", 1], ["9901", 5]]);
  assertEquals(
    (await countByStatus(two, { dateFrom: "2026-01-03", dateTo: "2026-01-06" }, "en"))
      .map((it) => [it.status, it.count]),
    [["10", 2], ["9901", 2]],
  );
}

Deno.test("an invoice whose customer or company changes is found where it is now, from value to value", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await insert(db, { from: 1, to: 40 });
  await db.execute(sql`update invoices set customer_sort = 'client ' || lpad(doc, 2, '0')`);
  await db.execute(
    sql`update invoices set kco = '00009', customer_sort = 'moved ' || doc where doc in ('7', '8', '9')`,
  );
  await db.execute(sql`update invoices set kco = '00009' where doc = '30'`);
  const found = await listInvoices(db, {
    filter: { kco: "00009", dateFrom: "2026-01-01" },
    page: { page: 1, pageSize: 3 },
    sortBy: "customerName",
    sortDir: "asc",
    language: "en",
  });
  assertEquals(found.invoices.map(({ fedoc }) => fedoc), ["30", "7", "8"]);
  const [row] = rowsOf<{ n: number }>(
    await db.execute(
      sql`select count(*)::int as n from invoice_values where sort_by = 'customerName' and kco = '00009'`,
    ),
  );
  assertEquals(row?.n, 4);
});

Deno.test("nobody pays a credit note, nor an invoice of which nothing is left", async () => {
  await using database = await testDatabase();
  const isPayable = async (type: string | null, due: number | null) => {
    const found = await database.db.execute(sql`select is_payable(${type}, ${due}) as it`);
    return rowsOf<{ it: boolean }>(found)[0]?.it;
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

async function insert(db: Db, { from, to }: { from: number; to: number }): Promise<void> {
  await db.execute(sql`insert into invoices (doc, dct, kco, status, issue_date)
    select n::text, 'RI', '00001', '9901', date '2026-01-01' + n - 1 from generate_series(${from}::int, ${to}::int) n`);
}

async function totalOf(db: Db, filter: Parameters<typeof listInvoices>[1]["filter"]) {
  const page = { page: 1, pageSize: 5 };
  const listed = await listInvoices(db, {
    filter,
    page,
    sortBy: "fedoc",
    sortDir: "asc",
    language: "en",
  });
  const [row] = rowsOf<{ n: number }>(
    await db.execute(sql`select count(*)::int as n from invoices`),
  );
  if (!Object.keys(filter).length) assertEquals(listed.total, row?.n);
  assertEquals(listed.totalIsCapped, false);
  return listed.total;
}
