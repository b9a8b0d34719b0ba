import { and, asc, count, eq, gt, gte, ilike, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { nameKey } from "#drizzle/schema/expressions.ts";
import { invoiceCounts, invoices } from "#drizzle/schema/mod.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest, SortDirection } from "#src/kernel/page.ts";
import { likeAnywhere } from "#src/kernel/text.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import { type Hits, listPage } from "#src/sql/list.ts";
import { constantSql } from "#src/sql/constant_sql.ts";
import { hasWords, searchWordsIn } from "#src/sql/search.ts";
import { foldedKey, type SortKey, sqlOf, textKey } from "#src/sql/sort_key.ts";
import type { InvoiceRow } from "./store.ts";
import { labels, number } from "./views.ts";

/** What invoices may be sorted by. Each has an index of these columns. */
export const INVOICE_SORT = {
  fedoc: [invoices.doc, invoices.dct, invoices.kco],
  fedct: [invoices.dct, invoices.id],
  kco: [invoices.kco, invoices.id],
  ublNumber: [invoices.ublNumber, invoices.id],
  issueDate: [invoices.issueDate, invoices.id],
  dueDate: [invoices.dueDate, invoices.id],
  invoiceType: [textKey(invoices.invoiceType), invoices.id],
  totalHT: [invoices.totalHT, invoices.id],
  totalTTC: [invoices.totalTTC, invoices.id],
  amountDue: [invoices.amountDue, invoices.id],
  customerRef: [textKey(invoices.customerRef), invoices.id],
  customerName: [invoices.customerSort, invoices.id],
  supplierName: [foldedKey(invoices.supplierName), invoices.id],
  currency: [textKey(invoices.currency), invoices.id],
  status: [invoices.status, invoices.id],
  createdAt: [invoices.createdAt, invoices.id],
} as const satisfies Record<string, readonly SortKey[]>;

export interface InvoiceFilter {
  readonly search?: string | undefined;
  /** Any of these, as they are stored. */
  readonly status?: readonly string[] | undefined;
  readonly ublNumber?: string | undefined;
  readonly customer?: string | undefined;
  /** Of invoices received. */
  readonly supplier?: string | undefined;
  readonly kco?: string | undefined;
  readonly dct?: string | undefined;
  readonly direction?: "issued" | "received" | undefined;
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
  readonly dueFrom?: string | undefined;
  readonly dueTo?: string | undefined;
  /** Those that ask for money, or those that do not. */
  readonly payable?: boolean | undefined;
}

/** One page of invoices in the order asked for, and how many there are in all, counted up to a limit. */
export async function listInvoices(
  db: Db,
  { filter, page, sortBy, sortDir, language }: {
    filter: InvoiceFilter;
    page: PageRequest;
    sortBy: keyof typeof INVOICE_SORT;
    sortDir: SortDirection;
    language: Language;
  },
) {
  const { rows, ...counted } = await listPage(
    db,
    {
      table: invoices,
      id: invoices.id,
      where: matching(filter),
      keys: INVOICE_SORT[sortBy],
      sortBy,
      sortDir,
      page,
      countBy: INVOICE_SORT.issueDate,
      total: isCounted(filter) ? countIn(filter) : undefined,
    },
    (hits) => summaries(db, hits),
  );
  return { invoices: rows.map((row) => summaryView(row, language)), ...counted };
}

/** Ids of invoices that fit, in the order of the list, all as of one moment. */
export async function idsInOrder(
  db: Db,
  { filter, sortBy, sortDir, most }: {
    filter: InvoiceFilter;
    sortBy: keyof typeof INVOICE_SORT;
    sortDir: SortDirection;
    most: number;
  },
): Promise<number[]> {
  const way = sql.raw(sortDir);
  const order = INVOICE_SORT[sortBy].map((key) => sql`${sqlOf(key)} ${way} nulls last`);
  const rows = await db.select({ id: invoices.id }).from(invoices).where(matching(filter))
    .orderBy(...order).limit(most);
  return rows.map(({ id }) => id);
}

/** Invoices as the list shows them, in the order of these ids; those that are gone are left out. */
export async function summariesOf(db: Db, ids: readonly number[], language: Language) {
  const rows = await summaries(db, {
    from: sql`unnest(${`{${ids.join(",")}}`}::bigint[]) with ordinality as hits (id, place)`,
    id: sql.raw("hits.id"),
    fields: { position: sql<string>`''`, total: sql<number>`0` },
    order: sql.raw("hits.place"),
  });
  return rows.map((row) => summaryView(row, language));
}

/** Keys of invoices that fit, the oldest first. */
export async function invoicesOf(
  db: Db,
  { filter, limit }: { filter: InvoiceFilter; limit: number },
): Promise<InvoiceKey[]> {
  const { doc, dct, kco } = invoices;
  return await db.select({ doc, dct, kco }).from(invoices).where(matching(filter))
    .orderBy(asc(invoices.issueDate), asc(invoices.id)).limit(limit);
}

/** As one JSON text: reading fifty rows value by value costs more than finding them. */
async function summaries(db: Db, { from, id, fields, order }: Hits): Promise<ListedSummary[]> {
  const { position, total } = fields;
  const rows = sql`select ${LISTED}, ${position} as position, ${total} as total
    from ${from} join invoices on invoices.id = ${id} order by ${order}`;
  const [row] = rowsOf<{ listed: string }>(
    await db.execute(sql`select coalesce(json_agg(it), '[]')::text as listed from (${rows}) it`),
  );
  return JSON.parse(row?.listed ?? "[]");
}

/** How many invoices have each status, of all or of those issued between two days, both included (`YYYY-MM-DD`). */
export async function countByStatus(
  db: Db,
  filter: Pick<InvoiceFilter, "dateFrom" | "dateTo">,
  language: Language,
) {
  const rows = filter.dateFrom || filter.dateTo
    ? await countBetween(db, filter)
    : await keptCounts(db);
  return rows.map((row) => ({ ...row, ...labels(row.status, language) }));
}

async function keptCounts(db: Db) {
  const n = sql<number>`sum(${invoiceCounts.n})::int`;
  return await db.select({ status: invoiceCounts.status, count: n }).from(invoiceCounts)
    .groupBy(invoiceCounts.status).having(sql`sum(${invoiceCounts.n}) > 0`)
    .orderBy(asc(invoiceCounts.status));
}

/** Each status by itself, since an index has the invoices of a status by their date. */
async function countBetween(db: Db, { dateFrom, dateTo }: InvoiceFilter) {
  const kept = db.selectDistinct({ status: invoiceCounts.status }).from(invoiceCounts).as("kept");
  const inside = db.select({ n: count().as("n") }).from(invoices)
    .where(and(eq(invoices.status, kept.status), matching({ dateFrom, dateTo }))).as("inside");
  return await db.select({ status: kept.status, count: inside.n }).from(kept)
    .crossJoinLateral(inside).where(gt(inside.n, 0)).orderBy(asc(kept.status));
}

function matching(filter: InvoiceFilter): SQL | undefined {
  return and(
    filter.search ? hasWords(invoices.searchText, filter.search) : undefined,
    filter.status ? isOneOf(invoices.status, filter.status) : undefined,
    filter.kco ? eq(invoices.kco, filter.kco) : undefined,
    filter.dct ? eq(invoices.dct, filter.dct) : undefined,
    filter.direction ? eq(invoices.direction, filter.direction) : undefined,
    filter.ublNumber ? found(filter.ublNumber, [invoices.ublNumber]) : undefined,
    filter.customer
      ? found(filter.customer, [invoices.customerSort, invoices.customerRef])
      : undefined,
    filter.supplier ? found(filter.supplier, [nameKey(invoices.supplierName)]) : undefined,
    filter.dateFrom ? gte(invoices.issueDate, filter.dateFrom) : undefined,
    filter.dateTo ? lte(invoices.issueDate, filter.dateTo) : undefined,
    filter.dueFrom ? gte(invoices.dueDate, filter.dueFrom) : undefined,
    filter.dueTo ? lte(invoices.dueDate, filter.dueTo) : undefined,
    filter.payable === undefined ? undefined : isPayable(filter.payable),
  );
}

/** Nobody pays a credit note, nor an invoice of which nothing is left; an amount that is not known may be owed. */
function isPayable(payable: boolean): SQL {
  const asksForNothing = sql`(${
    inArray(sql`coalesce(${invoices.invoiceType}, '')`, [...CREDIT_NOTES])
  } or coalesce(${invoices.amountDue} <= 0, false))`;
  return payable ? sql`not ${asksForNothing}` : asksForNothing;
}

/** Each word is in one of the columns; the index of all words finds what may be. */
function found(search: string, columns: readonly (PgColumn | SQL)[]): SQL | undefined {
  const inColumns = searchWordsIn(search).map(({ word }) =>
    or(...columns.map((column) => ilike(column, likeAnywhere(word))))
  );
  return and(hasWords(invoices.searchText, search), ...inColumns);
}

function isOneOf(column: PgColumn, values: readonly string[]): SQL {
  const [first = ""] = values;
  return values.length === 1 ? eq(column, first) : inArray(column, [...values]);
}

/** Whether the kept counts tell how many there are. */
function isCounted({ direction: _, status: __, ...others }: InvoiceFilter): boolean {
  return Object.values(others).every((it) => it === undefined);
}

function countIn({ direction, status }: InvoiceFilter): SQL<number> {
  const where = and(
    direction ? eq(invoiceCounts.direction, direction) : undefined,
    status ? isOneOf(invoiceCounts.status, status) : undefined,
  );
  return sql<number>`(select coalesce(sum(n), 0)::int from invoice_counts${
    where && sql` where ${where}`
  })`;
}

const SUMMARY = {
  doc: invoices.doc,
  dct: invoices.dct,
  kco: invoices.kco,
  ublNumber: invoices.ublNumber,
  issueDate: invoices.issueDate,
  invoiceType: invoices.invoiceType,
  totalHT: invoices.totalHT,
  totalTTC: invoices.totalTTC,
  amountDue: invoices.amountDue,
  customerRef: invoices.customerRef,
  customerName: invoices.customerName,
  supplierName: invoices.supplierName,
  currency: invoices.currency,
  status: invoices.status,
  direction: invoices.direction,
  dueDate: invoices.dueDate,
};

const LISTED = constantSql(sql.join(
  Object.entries(SUMMARY).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
  sql`, `,
));

type Summary =
  & Pick<InvoiceRow, Exclude<keyof typeof SUMMARY, Amount>>
  & Readonly<Record<Amount, string | number | null>>;
type Amount = "totalHT" | "totalTTC" | "amountDue";
type ListedSummary = Summary & { position: string; total: number };

/** An invoice as the list shows it. */
export type Listed = ReturnType<typeof summaryView>;

function summaryView(it: Summary, language: Language) {
  return {
    fedoc: it.doc,
    fedct: it.dct,
    kco: it.kco,
    ublNumber: it.ublNumber ?? "",
    issueDate: it.issueDate ?? "",
    invoiceType: it.invoiceType ?? "",
    totalHT: number(it.totalHT),
    totalTTC: number(it.totalTTC),
    amountDue: number(it.amountDue),
    customerRef: it.customerRef ?? "",
    customerName: it.customerName ?? "",
    supplierName: it.supplierName ?? "",
    currency: it.currency ?? "",
    status: it.status,
    ...labels(it.status, language),
    direction: it.direction,
    dueDate: it.dueDate ?? "",
  };
}

/** One invoice as `GET /api/invoices/{id}` answers it; amounts in its currency, null where it gives none. */
export function detailView(it: InvoiceRow, language: Language) {
  return {
    id: formatInvoiceKey(it),
    ...summaryView(it, language),
    totalVat: number(it.totalVat),
    processType: it.processType ?? "",
    supplierRef: it.supplierRef ?? "",
    supplierSiren: it.supplierSiren ?? "",
    orderRef: it.orderRef ?? "",
    contractRef: it.contractRef ?? "",
    statusAt: it.statusAt.toISOString(),
    reasonCode: it.reasonCode,
    template: it.template,
    jobNumber: it.jobNumber ?? "",
    generation: it.generation,
    paUuid: it.paUuid,
    createdAt: it.createdAt.toISOString(),
    updatedAt: it.updatedAt.toISOString(),
  };
}
