import { and, eq, gte, ilike, inArray, like, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { nameKey } from "#drizzle/schema/expressions.ts";
import { invoiceCounts, invoices } from "#drizzle/schema/mod.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { likeAnywhere } from "#src/kernel/text.ts";
import type { List } from "#src/sql/list.ts";
import { hasWords, searchFor, searchWordsIn } from "#src/sql/search.ts";
import { foldedKey, type SortKey, textKey } from "#src/sql/sort_key.ts";

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

export type SortBy = keyof typeof INVOICE_SORT;

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
  /** When the product took them in, at the earliest. */
  readonly recordedFrom?: Date | undefined;
  /** Those that ask for money, or those that do not. */
  readonly payable?: boolean | undefined;
}

/** The filter in the parts that a list takes. */
export function narrowed(
  filter: InvoiceFilter,
  sortBy: SortBy,
): Pick<List, "among" | "isScattered" | "search" | "where" | "within"> {
  const { search, where } = searchFor(invoices.searchText, textsIn(filter));
  const { inside, others } = byIndex(filter, sortBy);
  const { status, ...rest } = filter;
  if (status && status.length > 1 && !search && !others.length) {
    const among = { column: invoices.status, values: status };
    return { where: and(where, conditionsOf(rest)), among };
  }
  const isScattered = others.some((it) => SELECTIVE.has(it) && !OF_ONE[sortBy]?.includes(it)) ||
    others.length > 0 && inside.status !== undefined && isCounted(filter);
  return {
    search,
    where: and(where, conditionsOf(filter)),
    isScattered: isScattered && !(sortBy === "status" && status),
    within: conditionsOf(inside),
  };
}

type Name = keyof InvoiceFilter;

/** Filters of which an index has the invoices in an order: by one of these, of several the first. */
const OF_ONE: Readonly<Partial<Record<SortBy, readonly Name[]>>> = {
  issueDate: ["status", "kco", "dct", "direction"],
  totalTTC: ["status"],
  status: ["status"],
  kco: ["kco"],
  fedct: ["dct"],
};
/** And between these. */
const BETWEEN: Readonly<Partial<Record<SortBy, readonly Name[]>>> = {
  issueDate: ["dateFrom", "dateTo"],
  dueDate: ["dueFrom", "dueTo"],
  createdAt: ["recordedFrom"],
};
/** What few invoices may fit, or those that lie together, or what is counted; many of any order fit the others. */
const SELECTIVE: ReadonlySet<Name> = new Set([
  "status",
  "direction",
  "payable",
  ...Object.values(BETWEEN).flat(),
]);
/** Words are found by themselves. */
const OF_WORDS: ReadonlySet<Name> = new Set(["search", "ublNumber", "customer", "supplier"]);

/** The part of a filter by which one index has the invoices side by side and in this order, and the parts that are left. */
function byIndex(filter: InvoiceFilter, sortBy: SortBy) {
  const names = (Object.keys(filter) as Name[])
    .filter((it) => filter[it] !== undefined && !OF_WORDS.has(it));
  const between = names.filter((it) => BETWEEN[sortBy]?.includes(it));
  const rest = names.filter((it) => !between.includes(it));
  // The invoices of several statuses are in order where they are merged, with nothing else to fit.
  const isWhole = (it: Name) => it !== "status" || rest.length === 1 || filter.status?.length === 1;
  const one = OF_ONE[sortBy]?.find((it) => rest.includes(it) && isWhole(it));
  const inside = [...between, ...one ? [one] : []];
  return {
    inside: Object.fromEntries(inside.map((it) => [it, filter[it]])) as InvoiceFilter,
    others: names.filter((it) => !inside.includes(it)),
  };
}

/** The order whose index has the invoices of a period side by side. */
export function countedBy(
  { dateFrom, dateTo, dueFrom, dueTo, recordedFrom }: InvoiceFilter,
): SortBy {
  if (dateFrom || dateTo) return "issueDate";
  return dueFrom || dueTo ? "dueDate" : recordedFrom ? "createdAt" : "issueDate";
}

/** What words are looked for in. */
function textsIn({ search, ublNumber, customer, supplier }: InvoiceFilter): string[] {
  return [search, ublNumber, customer, supplier].flatMap((it) => it || []);
}

export function matching(filter: InvoiceFilter): SQL | undefined {
  const words = textsIn(filter).map((it) => hasWords(invoices.searchText, it));
  return and(...words, conditionsOf(filter));
}

/** All but the words. */
function conditionsOf(filter: InvoiceFilter): SQL | undefined {
  return and(
    filter.status ? isOneOf(invoices.status, filter.status) : undefined,
    filter.kco ? eq(invoices.kco, filter.kco) : undefined,
    filter.dct ? eq(invoices.dct, filter.dct) : undefined,
    filter.direction ? eq(invoices.direction, filter.direction) : undefined,
    ...wordsIn(filter.ublNumber, (pattern) => ilike(invoices.ublNumber, pattern)),
    ...wordsIn(
      filter.customer,
      (pattern) => or(like(invoices.customerSort, pattern), ilike(invoices.customerRef, pattern)),
    ),
    ...wordsIn(filter.supplier, (pattern) => like(nameKey(invoices.supplierName), pattern)),
    filter.dateFrom ? gte(invoices.issueDate, filter.dateFrom) : undefined,
    filter.dateTo ? lte(invoices.issueDate, filter.dateTo) : undefined,
    filter.dueFrom ? gte(invoices.dueDate, filter.dueFrom) : undefined,
    filter.dueTo ? lte(invoices.dueDate, filter.dueTo) : undefined,
    filter.recordedFrom ? gte(invoices.createdAt, filter.recordedFrom) : undefined,
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

/** Of each word that what it is looked for in has it; names are folded as words are. */
function wordsIn(text: string | undefined, isIn: (pattern: string) => SQL | undefined) {
  return searchWordsIn(text ?? "").map(({ word }) => isIn(likeAnywhere(word)));
}

function isOneOf(column: PgColumn, values: readonly string[]): SQL {
  const [first = ""] = values;
  return values.length === 1 ? eq(column, first) : inArray(column, [...values]);
}

/** Whether the kept counts tell how many there are. */
export function isCounted({ direction: _, status: __, ...others }: InvoiceFilter): boolean {
  return isNothing(others);
}

function isNothing(filter: InvoiceFilter): boolean {
  return Object.values(filter).every((it) => it === undefined);
}

export function countIn({ direction, status }: InvoiceFilter): SQL<number> {
  const where = and(
    direction ? eq(invoiceCounts.direction, direction) : undefined,
    status ? isOneOf(invoiceCounts.status, status) : undefined,
  );
  return sql<number>`(select coalesce(sum(n), 0)::int from invoice_counts${
    where && sql` where ${where}`
  })`;
}
