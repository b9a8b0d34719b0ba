import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import type { INVOICE_SORT, InvoiceFilter } from "#src/features/invoices/filter_views.ts";
import { listInvoices } from "#src/features/invoices/list_views.ts";
import { SORT_DIRECTIONS } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import { needs, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { explaining, nodesOf, type Planning, rowsReadIn } from "#tests/support/explain.ts";
import { fillInvoices } from "#tests/support/lists.ts";

const ROWS = 100_000;
/** Rows and entries of indexes: a thousand that are counted, and some more. A plan that is wrong reads tens of thousands. */
const MOST_READ = 2_500;
/** One in thirty fits, so that as many times fifty are read before a page is full. */
const MOST_READ_AGAINST_THE_ORDER = 4_000;
const MONTH = { dateFrom: "2025-03-01", dateTo: "2025-03-31" };
const PLANNINGS: readonly Planning[] = ["force_custom_plan", "force_generic_plan"];

const FILTERS: Readonly<Record<string, InvoiceFilter>> = {
  "all": {},
  "a frequent status": { status: ["10"] },
  "a rare status": { status: ["9904"] },
  "two statuses": { status: ["9904", "9907"] },
  "statuses, one of which nothing has": { status: ["10", "213", "9906"] },
  "a direction": { direction: "received" },
  "a direction and a status": { direction: "received", status: ["9904"] },
  "a company": { kco: "00003" },
  "a document type": { dct: "RM" },
  "a month": MONTH,
  "a number": { ublNumber: "RI-4711" },
  "a word all have": { search: "hélios" },
  "a word few have": { search: "17" },
  "words, of which few have both": { search: "17 HELIOS" },
  "words, of which one nothing has": { search: "helios zebra" },
  "a beginning": { search: "471*" },
  "a beginning all have": { search: "400*" },
  "a customer": { customer: "helios 17" },
  "words and a status": { search: "17 helios", status: ["10", "205"] },
};

type SortBy = keyof typeof INVOICE_SORT;

/** What one index has side by side, or has so for each value of the order. */
const IN_OTHER_ORDERS: readonly (readonly [InvoiceFilter, readonly SortBy[]])[] = [
  [{ kco: "00003" }, ["status", "kco"]],
  [{ dct: "RM" }, ["status", "fedct"]],
  [{ direction: "received" }, ["status", "supplierName", "customerName", "customerRef"]],
  [{ status: ["10"] }, ["status", "kco", "fedct"]],
  [{ status: ["9904", "205"] }, ["status", "kco", "fedct"]],
  [{ kco: "00003", status: ["205"] }, ["issueDate", "status", "kco"]],
  [{ kco: "00003", status: ["205", "9904", "212"] }, ["issueDate", "status", "kco"]],
  [{ dct: "RM", status: ["212"] }, ["issueDate", "status", "fedct"]],
  [MONTH, ["status", "kco", "fedct", "invoiceType", "currency"]],
  [{ ...MONTH, direction: "issued" }, ["supplierName", "customerName", "customerRef"]],
  [{ ...MONTH, status: ["10"] }, ["status", "kco", "fedct"]],
  [{ ...MONTH, kco: "00003" }, ["issueDate", "status", "kco"]],
  [{ dueFrom: "2025-03-03", dueTo: "2025-03-09" }, ["issueDate", "dueDate"]],
];

/** What no index has side by side, and what an order and a filter hardly share: from one value to the next that has some. */
const FROM_VALUE_TO_VALUE: readonly InvoiceFilter[] = [
  { payable: true },
  { kco: "00004", payable: false },
  { kco: "00003" },
  { dct: "RM" },
  { direction: "received" },
  { kco: "00003", direction: "issued" },
  { kco: "00003", dct: "RI", direction: "issued" },
];
/** No invoice has both; kept counts say so. */
const NEVER: readonly InvoiceFilter[] = [
  { kco: "00003", dct: "RM" },
  { kco: "00003", payable: false },
  { dct: "RM", status: ["10", "212"] },
  { kco: "00003", dct: "RM", direction: "issued" },
  { dct: "RX", direction: "received" },
];
const SHARED: readonly SortBy[] = [
  "kco",
  "fedct",
  "invoiceType",
  "currency",
  "customerRef",
  "customerName",
  "supplierName",
];

Deno.test({
  name:
    "no first page of invoices reads more than it is worth, whatever the server believes of them",
  ...needs("PostgreSQL", postgresUrl),
  async fn(test) {
    await using database = await testDatabaseUrl(postgresUrl ?? "");
    await using explained = explaining(database.url);
    const { db } = explained;
    await fillInvoices(db, ROWS);
    for (const [what, believe] of Object.entries(BELIEFS)) {
      await believe(db);
      for (const planning of PLANNINGS) {
        await test.step(`${what}, ${planning}`, async () => {
          for (const [name, list] of Object.entries(firstPages(db))) {
            const plans = await explained.carriedOut(list, planning);
            const told = `${name}\n${JSON.stringify(plans, null, 1)}`;
            const whole = plans.flatMap(({ plan }) => nodesOf(plan)).filter((it) =>
              it["Node Type"] === "Seq Scan" && it["Relation Name"] === "invoices"
            );
            assertEquals(whole, [], told);
            const read = plans.reduce((sum, { plan }) => sum + rowsReadIn(plan), 0);
            const most = name.startsWith("a month, by totalTTC")
              ? MOST_READ_AGAINST_THE_ORDER
              : MOST_READ;
            assert(read <= most, `${read} rows read: ${told}`);
          }
        });
      }
    }
  },
});

Deno.test({
  name: "what hardly any invoice is in the order asked for is given up before all are read",
  ...needs("PostgreSQL", postgresUrl),
  async fn() {
    await using database = await testDatabaseUrl(postgresUrl ?? "");
    await using explained = explaining(database.url);
    const { db } = explained;
    await fillInvoices(db, ROWS);
    const oldest = (n: number) =>
      sql.raw(`(select id from invoices order by issue_date limit ${n})`);
    await db.execute(sql`update invoices set kco = '00099' where id in ${oldest(4_000)}`);
    await db.execute(sql`update invoices set dct = 'RX' where id in ${oldest(3_000)}`);
    await db.execute(
      sql`update invoices set search_text = search_text || (array[' even', ' odd'])[1 + id % 2]`,
    );
    await db.execute(sql`vacuum analyze invoices`);
    for (const [filter, sortBy] of HARDLY_ANY) {
      for (const sortDir of SORT_DIRECTIONS) {
        const page = { page: 1, pageSize: 50 };
        const list = () => listInvoices(db, { filter, page, sortBy, sortDir, language: "fr" });
        const plans = await explained.carriedOut(list, "force_custom_plan");
        const read = plans.reduce((sum, { plan }) => sum + rowsReadIn(plan), 0);
        assert(read <= ROWS / 2, `${read} rows read: ${JSON.stringify([filter, sortBy, plans])}`);
      }
    }
    for (const sortBy of ["issueDate", "supplierName"] as const) {
      const page = { page: ROWS, pageSize: 500 };
      const list = () =>
        listInvoices(db, { filter: {}, page, sortBy, sortDir: "asc", language: "fr" });
      const plans = await explained.carriedOut(list, "force_custom_plan");
      const read = plans.reduce((sum, { plan }) => sum + rowsReadIn(plan), 0);
      assert(read <= 100, `${read} rows read for a page that is not there, by ${sortBy}`);
    }
  },
});

/** A company and a type of old times, words that are never together, or that all have, but as no supplier and no customer. */
const HARDLY_ANY: readonly (readonly [InvoiceFilter, SortBy])[] = [
  [{ supplier: "helios" }, "issueDate"],
  [{ supplier: "helios" }, "kco"],
  [{ customer: "ri" }, "issueDate"],
  [{ customer: "ri", direction: "issued" }, "totalTTC"],
  [{ kco: "00099" }, "invoiceType"],
  [{ kco: "00099", dateFrom: "2024-02-20" }, "currency"],
  [{ kco: "00099", dateFrom: "2024-02-20" }, "customerName"],
  [{ dct: "RX", dateFrom: "2024-06-01" }, "kco"],
  [{ dct: "RX", dateFrom: "2024-06-01" }, "supplierName"],
  [{ search: "odd even" }, "currency"],
  [{ search: "odd even" }, "customerName"],
  [{ search: "odd even", kco: "00003" }, "supplierName"],
];

/** Samples of one page and of all, and a table nobody has looked at yet. */
const BELIEFS: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  "after a usual sample": (db) => db.execute(sql`analyze invoices`),
  "after a small sample": (db) =>
    db.execute(sql.raw("set default_statistics_target to 1; analyze invoices")),
  "after a large sample": (db) =>
    db.execute(sql.raw("set default_statistics_target to 1000; analyze invoices")),
  "without a sample": (db) =>
    db.execute(sql`delete from pg_statistic where starelid in (
      select 'invoices'::regclass union all select indexrelid from pg_index where indrelid = 'invoices'::regclass)`),
};

function firstPages(db: Db): Record<string, () => PromiseLike<unknown>> {
  const page = { page: 1, pageSize: 50 };
  const all: Record<string, () => PromiseLike<unknown>> = {};
  const asked = [
    ...Object.entries(FILTERS).map(([name, filter]) =>
      [name, filter, ["issueDate", "totalTTC"] as SortBy[]] as const
    ),
    ...FROM_VALUE_TO_VALUE.map((filter) => [JSON.stringify(filter), filter, SHARED] as const),
    ...NEVER.map((filter) =>
      [JSON.stringify(filter), filter, [...SHARED, "status", "totalTTC", "fedoc"]] as const
    ),
    ...IN_OTHER_ORDERS.map(([filter, orders]) => [JSON.stringify(filter), filter, orders] as const),
  ];
  for (const [name, filter, orders] of asked) {
    for (const sortBy of orders) {
      for (const sortDir of SORT_DIRECTIONS) {
        all[`${name}, by ${sortBy} ${sortDir}`] = () =>
          listInvoices(db, { filter, page, sortBy, sortDir, language: "fr" });
      }
    }
  }
  return all;
}
