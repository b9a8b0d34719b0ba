import { and, eq, gte, ilike, inArray, like, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { byBytes, nameKey } from "#drizzle/schema/expressions.ts";
import { invoiceCounts, invoiceGroupCounts, invoices, invoiceValues } from "#drizzle/schema/mod.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { likeAnywhere } from "#src/kernel/text.ts";
import type { Walk } from "#src/sql/hits.ts";
import type { List } from "#src/sql/list.ts";
import { hasWords, searchFor, searchWordsIn } from "#src/sql/search.ts";
import { constantSql } from "#src/sql/constant_sql.ts";
import { foldedKey, type SortKey, textKey } from "#src/sql/sort_key.ts";

/** What invoices may be sorted by. Each has an index of these columns; what many invoices share, those of it are in by their date. */
export const INVOICE_SORT = {
  fedoc: [invoices.doc, invoices.dct, invoices.kco],
  fedct: byDate(invoices.dct),
  kco: byDate(invoices.kco),
  ublNumber: [invoices.ublNumber, invoices.id],
  issueDate: [invoices.issueDate, invoices.id],
  dueDate: [invoices.dueDate, invoices.id],
  invoiceType: byDate(textKey(invoices.invoiceType)),
  totalHT: [invoices.totalHT, invoices.id],
  totalTTC: [invoices.totalTTC, invoices.id],
  amountDue: [invoices.amountDue, invoices.id],
  customerRef: byDate(textKey(invoices.customerRef)),
  customerName: byDate(invoices.customerSort),
  supplierName: byDate(foldedKey(invoices.supplierName)),
  currency: byDate(textKey(invoices.currency)),
  status: byDate(invoices.status),
  createdAt: [invoices.createdAt, invoices.id],
} as const satisfies Record<string, readonly SortKey[]>;

function byDate(key: SortKey): readonly SortKey[] {
  return [key, invoices.issueDate, invoices.id];
}

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
): Pick<
  List,
  "among" | "isFirstFixed" | "isScattered" | "search" | "walk" | "where" | "within"
> {
  const { search, where } = searchFor(invoices.searchText, textsIn(filter));
  const { inside, others } = byIndex(filter, sortBy);
  const isMerged = isMergedBy(sortBy, inside);
  if (isMerged && !search && !others.length) {
    const { status, ...rest } = filter;
    return {
      where: and(where, conditionsOf(rest)),
      among: status ? { column: invoices.status, values: status } : EVERY_STATUS,
    };
  }
  const among = OF_DIRECTION.has(sortBy) && !filter.direction ? EVERY_DIRECTION : undefined;
  return {
    search,
    where: and(where, conditionsOf(filter)),
    among,
    isScattered: others.length > 0,
    isFirstFixed: isFixed(filter, sortBy),
    walk: walkBy(filter, sortBy, { inside, others }),
    within: conditionsOf(isMerged ? withoutMerging(sortBy, inside) : inside),
  };
}

type Name = keyof InvoiceFilter;

/** Orders in which an index has the invoices of a status, and those of one of these and of a status. */
const OF_STATUS: Readonly<Partial<Record<SortBy, readonly Name[]>>> = {
  issueDate: ["kco", "dct", "direction"],
  status: ["kco", "dct", "direction"],
  kco: ["kco"],
  fedct: ["dct"],
  totalTTC: [],
};
/** And those between these. */
const BETWEEN: Readonly<Partial<Record<SortBy, readonly Name[]>>> = {
  dueDate: ["dueFrom", "dueTo"],
  createdAt: ["recordedFrom"],
};
/** Orders in which an index has the invoices of a direction: whom one sells to and who sells never mix. */
const OF_DIRECTION: ReadonlySet<SortBy> = new Set(["customerRef", "customerName", "supplierName"]);
/** Of names, which are in the order of their bytes on every server. */
const OF_BYTES: ReadonlySet<SortBy> = new Set(["customerName", "supplierName"]);
const DATES: readonly Name[] = ["dateFrom", "dateTo"];
/** Whose an invoice is: what is kept of each value. */
const WHOSE: ReadonlySet<Name> = new Set(["kco", "dct", "direction"]);
/** Words are found by themselves. */
const OF_WORDS: ReadonlySet<Name> = new Set(["search", "ublNumber", "customer", "supplier"]);

/** Every status that invoices have or had. */
const EVERY_STATUS = {
  column: invoices.status,
  values: constantSql(sql`(select distinct ${invoiceCounts.status} from ${invoiceCounts})`),
  areAll: true,
};
const EVERY_DIRECTION = {
  column: invoices.direction,
  values: ["issued", "received"],
  areAll: true,
};

/**
 * Invoices that share what they are sorted by are in the order of their date, those of one direction by themselves. Which of them fit is
 * read; only values that some company, type or direction of the filter has are gone through. What else is filtered by may be what none
 * of the first values has, and all their invoices would be read.
 */
function walkBy(
  filter: InvoiceFilter,
  sortBy: SortBy,
  { inside, others }: ReturnType<typeof byIndex>,
): Walk | undefined {
  const isShared = INVOICE_SORT[sortBy][1] === invoices.issueDate && !isFixed(filter, sortBy);
  const isRead = (it: Name) =>
    // What is to be paid is most of what a company has, but nothing of some types.
    WHOSE.has(it) ||
    it === "payable" && sortBy !== "invoiceType" && others.some((it) => WHOSE.has(it));
  if (!isShared || !others.every((it) => DATES.includes(it) || isRead(it))) return undefined;
  const isOfSeveral = filter.status !== undefined && filter.status.length > 1;
  if (isOfSeveral && sortBy !== "status") return undefined;
  if (sortBy === "status") {
    const { status, ...ofStatus } = inside;
    return {
      values: sql`(select status from (${counts(filter)}) it group by status having sum(n) > 0)`,
      inside: conditionsOf(ofStatus),
      others: conditionsOf({ ...partOf(filter, others), status }),
    };
  }
  const { kco, dct, direction } = filter;
  const own = and(
    eq(invoiceValues.sortBy, sql.raw(`'${sortBy}'`)),
    kco ? eq(invoiceValues.kco, kco) : undefined,
    dct ? eq(invoiceValues.dct, dct) : undefined,
    direction ? eq(invoiceValues.direction, direction) : undefined,
  );
  const value = OF_BYTES.has(sortBy) ? byBytes(invoiceValues.value) : invoiceValues.value;
  const read = others.filter((it) => !DATES.includes(it));
  return {
    values: sql`(select ${value} from ${invoiceValues} where ${own})`,
    inside: conditionsOf({ ...inside, ...partOf(filter, DATES) }),
    others: conditionsOf(partOf(filter, read)),
    isWhole: !DATES.some((it) => filter[it]),
  };
}

/** The part of a filter by which indexes have the invoices side by side and in this order, and the parts that are left. */
function byIndex(filter: InvoiceFilter, sortBy: SortBy) {
  const names = (Object.keys(filter) as Name[])
    .filter((it) => filter[it] !== undefined && !OF_WORDS.has(it));
  const group = OF_STATUS[sortBy]?.find((it) => names.includes(it));
  const isByDate = sortBy === "issueDate" || sortBy === "status" || group !== undefined;
  const inside = new Set<Name>([
    ...BETWEEN[sortBy] ?? [],
    ...isByDate ? DATES : [],
    ...OF_STATUS[sortBy] ? ["status"] as const : [],
    ...OF_DIRECTION.has(sortBy) ? ["direction"] as const : [],
    ...group ? [group] : [],
  ]);
  return {
    inside: partOf(filter, names.filter((it) => inside.has(it))),
    others: names.filter((it) => !inside.has(it)),
  };
}

function partOf(filter: InvoiceFilter, names: readonly Name[]): InvoiceFilter {
  return Object.fromEntries(names.map((it) => [it, filter[it]]));
}

/** Each status has its invoices in the order, and those of all together are not. */
function isMergedBy(sortBy: SortBy, { status, ...inside }: InvoiceFilter): boolean {
  return status ? status.length > 1 : sortBy === "status" && !isNothing(inside);
}

function isFixed({ kco, dct, status }: InvoiceFilter, sortBy: SortBy): boolean {
  const fixed = { kco, fedct: dct, status: status?.length === 1 } as const;
  return sortBy in fixed && Boolean(fixed[sortBy as keyof typeof fixed]);
}

/** What of it a single index has, where the statuses are not merged. */
function withoutMerging(sortBy: SortBy, { status: _, ...inside }: InvoiceFilter): InvoiceFilter {
  return sortBy === "status" ? {} : inside;
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
export function isCounted(
  { direction: _, status: __, kco: ___, dct: ____, ...others }: InvoiceFilter,
): boolean {
  return isNothing(others);
}

function isNothing(filter: InvoiceFilter): boolean {
  return Object.values(filter).every((it) => it === undefined);
}

export function countIn(filter: InvoiceFilter): SQL<number> {
  return sql<number>`(select coalesce(sum(n), 0)::int from (${counts(filter)}) it)`;
}

/** What is kept of those that fit as far as counts tell. */
function counts({ direction, status, kco, dct }: InvoiceFilter): SQL {
  const table = kco || dct ? invoiceGroupCounts : invoiceCounts;
  const where = and(
    direction ? eq(table.direction, direction) : undefined,
    status ? isOneOf(table.status, status) : undefined,
    kco ? eq(invoiceGroupCounts.kco, kco) : undefined,
    dct ? eq(invoiceGroupCounts.dct, dct) : undefined,
  );
  return sql`select status, n from ${table}${where && sql` where ${where}`}`;
}
