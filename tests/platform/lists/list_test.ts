import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { INVOICE_SORT } from "#src/gateway/invoices/filter_views.ts";
import { listInvoices } from "#src/gateway/invoices/list_views.ts";
import { AppError } from "#src/kernel/errors.ts";
import { SORT_DIRECTIONS } from "#src/kernel/page.ts";
import { type Database, type Db, getRows } from "#src/ports/db.ts";
import { toSql } from "#src/platform/lists/sort_key.ts";
import { deps, postgresUrl, testDatabase } from "#tests/support/db.ts";

const ROWS = 137;
const PAGE = 40;
type SortBy = keyof typeof INVOICE_SORT;
const SORTS = Object.keys(INVOICE_SORT) as SortBy[];

Deno.test("lists on PGlite", (test) => suite(test, () => testDatabase()));
Deno.test({
  name: "lists on PostgreSQL",
  ...deps("PostgreSQL", postgresUrl),
  fn: (test) => suite(test, () => testDatabase(postgresUrl)),
});

async function suite(test: Deno.TestContext, open: () => Promise<Database>) {
  await using database = await open();
  const { db } = database;
  await fill(db);
  for (const sortBy of SORTS) {
    for (const sortDir of SORT_DIRECTIONS) {
      await test.step(`by ${sortBy} ${sortDir}: pages and places give every row once, empty values last`, async () => {
        const expected = await ordered(db, sortBy, sortDir);
        assertEquals(await byPage(db, { sortBy, sortDir }), expected);
        assertEquals(await byPlace(db, { sortBy, sortDir }), expected);
      });
    }
  }
  await test.step("a page past the end is empty and knows the total", async () => {
    const { invoices, total, next } = await ask(db, {}, { page: 99 });
    assertEquals([invoices, total, next], [[], ROWS, null]);
  });
  await test.step("a cursor of another order, with a page, or forged is refused", async () => {
    const { next } = await ask(db, { sortBy: "issueDate" }, {});
    await refuse(
      ask(db, { sortBy: "totalTTC" }, { after: next }),
      /belongs to the order issueDate desc/,
    );
    await refuse(
      ask(db, { sortBy: "issueDate" }, { after: next, page: 2 }),
      /cannot be combined with page/,
    );
    for (
      const place of [
        ["2026-02-31", "1"],
        ["x", "1"],
        ["2026-01-01", "'"],
        [null, null],
        [1, 2],
        [],
      ]
    ) {
      const own = Buffer.from(JSON.stringify(["issueDate", "desc", ...place])).toString(
        "base64url",
      );
      await refuse(ask(db, { sortBy: "issueDate" }, { after: own }), /not a cursor of this list/);
    }
    await refuse(ask(db, {}, { after: "%%%" }), /not a cursor of this list/);
  });
}

type Order = { sortBy?: SortBy; sortDir?: "asc" | "desc" };

function ask(
  db: Db,
  { sortBy = "issueDate", sortDir = "desc" }: Order,
  { page = 1, after }: { page?: number; after?: string | null },
) {
  const asked = { page, pageSize: PAGE, after: after ?? undefined };
  return listInvoices(db, { filter: {}, page: asked, sortBy, sortDir, language: "fr" });
}

async function byPage(db: Db, order: Order): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; page <= Math.ceil(ROWS / PAGE); page++) {
    found.push(...(await ask(db, order, { page })).invoices.map((it) => it.fedoc));
  }
  return found;
}

async function byPlace(db: Db, order: Order): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const { invoices, next, total } = await ask(db, order, { after });
    assertEquals(total, ROWS);
    found.push(...invoices.map((it) => it.fedoc));
    after = next;
  } while (after);
  return found;
}

async function ordered(db: Db, sortBy: SortBy, sortDir: "asc" | "desc"): Promise<string[]> {
  const order = INVOICE_SORT[sortBy].map((key, i) =>
    sql`${toSql(key)} ${sql.raw(i ? sortDir : `${sortDir} nulls last`)}`
  );
  const result = await db.execute(
    sql`select doc from invoices order by ${sql.join(order, sql`, `)}`,
  );
  return getRows<{ doc: string }>(result).map((it) => it.doc);
}

async function refuse(asked: Promise<unknown>, says: RegExp): Promise<void> {
  const error = await assertRejects(() => asked, AppError, "after: ");
  assert(
    error instanceof AppError && error.code === "invalid" && says.test(error.message),
    error.message,
  );
}

/** Fills the table; every seventh row lacks all optional values. */
async function fill(db: Db): Promise<void> {
  await db.execute(sql`insert into invoices
    (doc, dct, kco, ubl_number, issue_date, due_date, invoice_type, currency, total_ht, total_ttc, amount_due, customer_ref,
     customer_name, status, created_at)
    select n::text, (array['RI','RM'])[1 + n % 2], '0000' || n % 3, 'RI-' || n, date '2026-01-01' + n % 30,
      date '2026-02-01' + n % 20, '38' || n % 2, 'EUR', n % 10 * 1.01, n % 9, n % 8, (n % 7)::text, 'Client ' || n % 5,
      (array['10','9906'])[1 + n % 2], timestamptz '2026-01-01' + n * interval '0.000123 s'
    from generate_series(1, ${sql.raw(String(ROWS))}) n where n % 7 <> 0
    union all
    select n::text, 'RI', '00001', null, null, null, null, null, null, null, null, null, null, '9907', now()
    from generate_series(1, ${sql.raw(String(ROWS))}) n where n % 7 = 0`);
}
