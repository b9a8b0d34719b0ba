import { and, asc, count, eq, gt, sql } from "drizzle-orm";
import { invoiceCounts, invoices } from "#drizzle/schema/mod.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest, SortDirection } from "#src/kernel/page.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import { type Hits, orderOf } from "#src/sql/hits.ts";
import { listPage } from "#src/sql/list.ts";
import { constantSql } from "#src/sql/constant_sql.ts";
import {
  countedBy,
  countIn,
  INVOICE_SORT,
  type InvoiceFilter,
  isCounted,
  matching,
  narrowed,
  type SortBy,
} from "./filter_views.ts";
import type { InvoiceRow } from "./store.ts";
import { labels, number } from "./views.ts";

/** One page of invoices in the order asked for, and how many there are in all, counted up to a limit. */
export async function listInvoices(
  db: Db,
  { filter, page, sortBy, sortDir, language }: {
    filter: InvoiceFilter;
    page: PageRequest;
    sortBy: SortBy;
    sortDir: SortDirection;
    language: Language;
  },
) {
  const { rows, ...counted } = await listPage(
    db,
    {
      table: invoices,
      id: invoices.id,
      ...narrowed(filter, sortBy),
      keys: INVOICE_SORT[sortBy],
      sortBy,
      sortDir,
      page,
      countBy: INVOICE_SORT[countedBy(filter)],
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
    sortBy: SortBy;
    sortDir: SortDirection;
    most: number;
  },
): Promise<number[]> {
  const order = orderOf({ keys: INVOICE_SORT[sortBy], sortDir }).withNulls;
  const rows = await db.select({ id: invoices.id }).from(invoices).where(matching(filter))
    .orderBy(order).limit(most);
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

/**
 * How many invoices have each status, of all, of those issued between two days, both included (`YYYY-MM-DD`), or of those
 * recorded from a moment on.
 */
export async function countByStatus(
  db: Db,
  filter: Pick<InvoiceFilter, "dateFrom" | "dateTo" | "recordedFrom">,
  language: Language,
) {
  const rows = filter.recordedFrom
    ? await countRecorded(db, filter)
    : filter.dateFrom || filter.dateTo
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

async function countRecorded(db: Db, filter: InvoiceFilter) {
  return await db.select({ status: invoices.status, count: count() }).from(invoices)
    .where(matching(filter)).groupBy(invoices.status).orderBy(asc(invoices.status));
}

/** Each status by itself, since an index has the invoices of a status by their date. */
async function countBetween(db: Db, { dateFrom, dateTo }: InvoiceFilter) {
  const kept = db.selectDistinct({ status: invoiceCounts.status }).from(invoiceCounts).as("kept");
  const inside = db.select({ n: count().as("n") }).from(invoices)
    .where(and(eq(invoices.status, kept.status), matching({ dateFrom, dateTo }))).as("inside");
  return await db.select({ status: kept.status, count: inside.n }).from(kept)
    .crossJoinLateral(inside).where(gt(inside.n, 0)).orderBy(asc(kept.status));
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
