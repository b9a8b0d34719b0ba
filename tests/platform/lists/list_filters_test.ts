import { assertEquals } from "@std/assert";
import { and, or, type SQL, sql } from "drizzle-orm";
import { INVOICE_SORT, type InvoiceFilter } from "#src/gateway/invoices/filter_views.ts";
import { listInvoices } from "#src/gateway/invoices/list_views.ts";
import { SORT_DIRECTIONS, type SortDirection } from "#src/kernel/page.ts";
import { type Database, type Db, getRows } from "#src/ports/db.ts";
import { toSql } from "#src/platform/lists/sort_key.ts";
import { deps, postgresUrl, testDatabase } from "#tests/support/db.ts";
import { randomFrom } from "#tests/schematron/random_xpath.ts";
import { selectTenth } from "#tests/support/long.ts";

/** More rows than a scan reads to fill a page, and than a filter finds and sorts. */
const ROWS = 14_000;
const COUNTED = 1_000;

type SortBy = keyof typeof INVOICE_SORT;
const SORTS = Object.keys(INVOICE_SORT) as SortBy[];

interface Case {
  readonly filter: InvoiceFilter;
  readonly sortBy: SortBy;
  readonly sortDir: SortDirection;
  readonly pageSize: number;
}

/** Number of cases per database. */
interface Share {
  readonly cases: number;
  readonly ends: readonly SortBy[];
  readonly shared: readonly SortBy[];
}
const WHOLE: Share = {
  cases: 250,
  ends: ["issueDate", "dueDate", "totalTTC", "supplierName", "status"],
  shared: ["currency", "customerRef", "customerName", "invoiceType", "kco", "status"],
};
/** The embedded engine is a different version of PostgreSQL and several times as slow. */
const PART: Share = { cases: 20, ends: ["dueDate", "supplierName"], shared: ["customerName"] };

Deno.test("filtered lists on PGlite", (test) => suite(test, () => testDatabase(), PART));
Deno.test({
  name: "filtered lists on PostgreSQL",
  ...deps("PostgreSQL", postgresUrl),
  fn: (test) => suite(test, () => testDatabase(postgresUrl), WHOLE),
});

async function suite(test: Deno.TestContext, open: () => Promise<Database>, share: Share) {
  await using database = await open();
  const { db } = database;
  await fill(db);
  await test.step("for every filter, pages and cursors give the rows of a plain sort", async () => {
    const random = randomFrom(20_261_125);
    await holdAll(db, Array.from({ length: share.cases }, () => caseFrom(random)));
  });
  await test.step("rows that lie at the end of the order, few and many, and odd filters", async () => {
    await holdAll(
      db,
      ENDS.flatMap((filter) =>
        share.ends.flatMap((sortBy) =>
          SORT_DIRECTIONS.map((sortDir) => ({ filter, sortBy, sortDir, pageSize: 50 }))
        )
      ),
    );
    await holdAll(
      db,
      OTHERS.map((filter) => ({ filter, sortBy: "dueDate", sortDir: "desc", pageSize: 50 })),
    );
  });
  await test.step("words are found in their columns, in any order", async () => {
    await holdAll(
      db,
      ELSEWHERE.flatMap((filter) =>
        share.shared.map((sortBy) => ({ filter, sortBy, sortDir: "asc", pageSize: 50 }))
      ),
    );
  });
}

async function holdAll(db: Db, cases: readonly Case[]): Promise<void> {
  for (const it of selectTenth(cases)) await holds(db, it);
}

/** The largest number of one-letter words in a search. */
const MANY_WORDS = Array.from({ length: 100 }, (_, n) => String.fromCodePoint(0x4e00 + n))
  .join(" ");

/** Words and values of only the last rows, only the first rows, or no rows. */
const ENDS: readonly InvoiceFilter[] = [
  { search: "tail" },
  { search: "tail helios" },
  { search: "head" },
  { search: "middle" },
  { search: "middle", status: ["9906"] },
  { search: "zebra" },
  { search: "?!" },
  { search: "helios", ublNumber: "?!" },
  { status: ["9906"] },
  { direction: "issued" },
  { status: ["9906", "9907"] },
  { status: ["9906", "9907"], kco: "00001" },
  { status: ["10", "10", "9906"], dateFrom: "2024-02-01" },
  { recordedFrom: new Date("2024-01-09") },
  { dueFrom: "2024-03-01", dueTo: "2024-03-05" },
  { dueFrom: "2024-02-10", dueTo: "2024-02-10" },
  { dueFrom: "2023-12-01", dueTo: "2024-03-31", dateFrom: "2024-01-20", dateTo: "2024-02-20" },
  { dueFrom: "2024-02-10", dueTo: "2024-02-20", search: "?!" },
];

/**
 * Words that occur everywhere but not together, more words than one query takes values, and invoices without an amount
 * due.
 */
const OTHERS: readonly InvoiceFilter[] = [
  { search: "odd even" },
  { search: "odd even", status: ["10"] },
  { search: "odd even", dct: "RI" },
  { search: "odd", dct: "RI", status: ["10"] },
  { search: MANY_WORDS, customer: MANY_WORDS },
  { search: "ri", customer: MANY_WORDS },
  { payable: false, kco: "00000" },
  { payable: false, dct: "RM", dateTo: "2024-02-01" },
  { status: ["9906"], dct: "RM" },
];

/** Frequent words in other columns, and words that match a customer's name and number separately. */
const ELSEWHERE: readonly InvoiceFilter[] = [
  { supplier: "helios" },
  { supplier: "groupe", kco: "00001" },
  { customer: "odd" },
  { customer: "ri", direction: "issued" },
  { customer: "odd", status: ["10"] },
  { customer: "even ri", dct: "RI" },
  { customer: "ri even", kco: "00001" },
  { ublNumber: "odd", dct: "RI" },
  { search: "?!", dct: "RI" },
  { supplier: "-", payable: true, dateTo: "2024-02-01" },
];

async function holds(db: Db, asked: Case): Promise<void> {
  const { pageSize } = asked;
  const expected = await plainly(db, asked);
  const hint = JSON.stringify(asked);
  const ask = (page: number, after?: string | null) =>
    listInvoices(db, {
      ...asked,
      page: { page, pageSize, after: after ?? undefined },
      language: "fr",
    });
  const last = Math.ceil(expected.length / pageSize);
  let after: string | null | undefined;
  for (let page = 1; page <= 3; page++) {
    const { invoices, next, ...counted } = await ask(1, after);
    const rows = expected.slice((page - 1) * pageSize, page * pageSize);
    assertEquals(invoices.map((it) => it.fedoc), rows, `${hint} place ${page}`);
    assertEquals(counted, computeTotal(expected.length, COUNTED), hint);
    assertEquals(next === null, page >= last, `${hint} next of ${page}`);
    if (next === null) break;
    after = next;
  }
  for (const page of new Set([2, last, last + 1])) {
    if (page < 1) continue;
    const { invoices, next: _, ...counted } = await ask(page);
    const end = page * pageSize;
    assertEquals(
      invoices.map((it) => it.fedoc),
      expected.slice(end - pageSize, end),
      `${hint} page ${page}`,
    );
    assertEquals(counted, computeTotal(expected.length, Math.max(COUNTED, end)), hint);
  }
}

function computeTotal(n: number, most: number) {
  return { total: Math.min(n, most), totalIsCapped: n > most };
}

async function plainly(db: Db, { filter, sortBy, sortDir }: Case): Promise<string[]> {
  const order = INVOICE_SORT[sortBy].map((key, i) =>
    sql`${toSql(key)} ${sql.raw(i ? sortDir : `${sortDir} nulls last`)}`
  );
  const where = plainWhere(filter) ?? sql`true`;
  const result = await db.execute(
    sql`select doc from invoices where ${where} order by ${sql.join(order, sql`, `)}`,
  );
  return getRows<{ doc: string }>(result).map((it) => it.doc);
}

function plainWhere(it: InvoiceFilter): SQL | undefined {
  const hasEach = (text: string, columns = sql`''`) =>
    text.toLowerCase().match(/[a-z\d\u4e00-\u9fff]+\*?/g)?.map((word) => {
      const begins = word.endsWith("*");
      const letters = word.replace("*", "");
      const isThere = sql`exists (select from unnest(string_to_array(search_text, ' ')) w where ${
        begins ? sql`starts_with(w, ${letters})` : sql`w = ${letters}`
      })`;
      return columns ? sql`${isThere} and strpos(lower(${columns}), ${letters}) > 0` : isThere;
    }) ?? [sql`false`];
  const words = (text: string | undefined, columns?: SQL) =>
    text === undefined ? [] : hasEach(text, columns ?? sql`search_text`);
  // A number is an amount as well, with any cents.
  const [, whole] = /^(\d+)\*?$/.exec(it.search ?? "") ?? [];
  const isTotal = whole &&
    sql`total_ttc between ${whole}::numeric and ${whole}::numeric + 0.99`;
  return and(
    or(and(...words(it.search)), isTotal || undefined),
    ...words(it.ublNumber, sql`ubl_number`),
    ...words(it.customer, sql`concat_ws(chr(1), customer_sort, customer_ref)`),
    ...words(it.supplier, sql`supplier_name`),
    it.status && sql`status = any(${`{${it.status}}`}::text[])`,
    it.kco ? sql`kco = ${it.kco}` : undefined,
    it.dct ? sql`dct = ${it.dct}` : undefined,
    it.direction ? sql`direction = ${it.direction}` : undefined,
    it.dateFrom ? sql`issue_date >= ${it.dateFrom}` : undefined,
    it.dateTo ? sql`issue_date <= ${it.dateTo}` : undefined,
    it.dueFrom ? sql`due_date >= ${it.dueFrom}` : undefined,
    it.dueTo ? sql`due_date <= ${it.dueTo}` : undefined,
    it.recordedFrom ? sql`created_at >= ${it.recordedFrom.toISOString()}::timestamptz` : undefined,
    it.payable === undefined
      ? undefined
      : sql`(coalesce(invoice_type, '') <> '381' and coalesce(amount_due, 1) > 0) = ${it.payable}`,
  );
}

function caseFrom(random: () => number): Case {
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const maybe = <T>(share: number, of: readonly T[]) => random() < share ? one(of) : undefined;
  const statuses = ["10", "205", "9904", "9906", "9907", "213"];
  const days = ["2024-01-05", "2024-02-01", "2024-02-20", "2024-03-01", "2024-04-01"];
  const filter: InvoiceFilter = {
    search: maybe(0.4, [
      "helios",
      "17",
      "17 helios",
      "tail",
      "head 3",
      "odd",
      "odd even",
      "odd helios tail",
      "middle",
      "mid*",
      "ri",
      "40000*",
      "zebra",
    ]),
    status: maybe(0.4, [[one(statuses)], [one(statuses), one(statuses)], ["205", "9904", "10"]]),
    ublNumber: maybe(0.05, ["RI-471", "ri", "471*"]),
    customer: maybe(0.1, ["helios 17", "helios", "400000", "zebra"]),
    supplier: maybe(0.1, ["odd", "ri", "groupe 17", "helios"]),
    kco: maybe(0.2, ["00001", "00002", "00009"]),
    dct: maybe(0.2, ["RI", "RM"]),
    direction: maybe(0.15, ["issued", "received"]),
    dateFrom: maybe(0.2, days),
    dateTo: maybe(0.1, days),
    dueFrom: maybe(0.1, days),
    dueTo: maybe(0.05, days),
    recordedFrom: maybe(0.1, [new Date("2024-01-01T01:00:00Z"), new Date("2024-01-09")]),
    payable: maybe(0.1, [true, false]),
  };
  return {
    filter,
    sortBy: one(SORTS),
    sortDir: one(SORT_DIRECTIONS),
    pageSize: one([7, 50, 500]),
  };
}

/**
 * Fills the table. The last fifth has no due date and no customer, and contains a unique word. So does the first fifth,
 * and every fifth row in the middle.
 */
async function fill(db: Db): Promise<void> {
  await db.execute(sql.raw(`insert into invoices
    (doc, dct, kco, direction, ubl_number, issue_date, due_date, invoice_type, currency, total_ht, total_ttc, amount_due,
     customer_ref, customer_name, customer_sort, supplier_name, status, search_text, created_at)
    select n::text, (array['RI','RM'])[1 + n % 2], '0000' || n % 3, case when n % 5 = 0 then 'received' else 'issued' end,
      'RI-' || n, case when n % 50 <> 0 then date '2024-01-01' + (n * 100 / ${ROWS}) end,
      case when not is_last then date '2024-02-01' + (n * 37 % 60) end, (array['380','381',null])[1 + n % 3],
      case when n % 30 = 0 then 'USD' else 'EUR' end, x, case when n % 11 <> 0 then x * 1.2 end, n % 4,
      case when n % 640 = 0 then 'RI ' || n when not is_last then (400000 + n % 90)::text end,
      case when not is_last then 'Groupe Hélios ' || n % 90 end,
      case when n % 640 = 0 then 'even ' || n when not is_last then 'groupe helios ' || n % 90 end,
      case when n % 7 = 0 then 'Odd Helios' when n % 3 > 0 then 'Groupe RI ' || n % 90 end,
      case when is_last then '9906' when n % 100 = 0 then '9904' when n % 25 = 0 then '9907' else (array['10','205'])[1 + n % 2] end,
      concat_ws(' ', 'ri', n, (array['even', 'odd'])[1 + n % 2], case when not is_last then 'groupe helios ' || n % 90 || ' ' || 400000 + n % 90 end,
        case when is_last then 'tail' when n < ${ROWS} / 5 then 'head' when n % 4 = 1 then 'middle' end),
      timestamptz '2024-01-01' + n * interval '60 s'
    from (select n, n > ${ROWS} * 4 / 5 as is_last, n * 7919 % 9000 / 100.0 as x from generate_series(1, ${ROWS}) n) it`));
  await db.execute(sql`analyze invoices`);
}
