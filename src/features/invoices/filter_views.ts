import { and, eq, gte, ilike, inArray, like, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { beginning, byBytes, nameKey } from "#drizzle/schema/expressions.ts";
import { invoiceCounts, invoiceGroupCounts, invoices, invoiceValues } from "#drizzle/schema/mod.ts";
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
  dueDate: byDate(invoices.dueDate),
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
  | "among"
  | "isFirstFixed"
  | "isScattered"
  | "isTold"
  | "search"
  | "sought"
  | "walk"
  | "where"
  | "within"
> {
  const { search, where } = searchFor(invoices.searchText, textsIn(filter));
  const { inside, others } = byIndex(filter, sortBy);
  const isMerged = isMergedBy(sortBy, inside);
  if (isMerged && !search && !others.length) {
    const { status, ...rest } = filter;
    return {
      where: and(where, conditionsOf(rest)),
      among: status
        ? { column: invoices.status, values: isOfGroup(rest) ? unknown(status) : status }
        : EVERY_STATUS,
    };
  }
  const days = sortBy === "issueDate" ? daysDue(filter) : undefined;
  if (days) {
    const where = conditionsOf(partOf(filter, DATES));
    return { where, among: { column: invoices.dueDate, values: days } };
  }
  const among = OF_DIRECTION.has(sortBy) && !filter.direction ? EVERY_DIRECTION : undefined;
  return {
    search,
    where: and(where, others.length ? conditionsOf(filter) : sideBySide(filter)),
    among,
    sought: ofNames(filter),
    isScattered: others.length > 0,
    isFirstFixed: isFixed(filter, sortBy),
    isTold: OF_DIRECTION.has(sortBy) && others.join() === "status" && filter.status?.length === 1,
    walk: where ? undefined : walkBy(filter, sortBy, { inside, others }), // a text without a word finds nothing
    within: sideBySide(isMerged ? withoutMerging(sortBy, inside) : inside),
  };
}

type Name = keyof InvoiceFilter;

/** Days whose invoices are merged at most: of each as many are read as a page shows. */
const DAYS = 400;

/** The days on which all are due that fit, where the filter asks for no more than days: an index has those of each in the order of their date. */
function daysDue({ dueFrom, dueTo, dateFrom: _, dateTo: __, ...others }: InvoiceFilter) {
  if (!dueFrom || !dueTo || !isNothing(others)) return undefined;
  const after = (Date.parse(dueTo) - Date.parse(dueFrom)) / 86_400_000;
  return after < DAYS
    ? sql`(select ${dueFrom}::date + n from generate_series(0, ${after}::int) n)`
    : undefined;
}

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
/** Orders in which an index has the invoices of a direction, and tells their status: whom one sells to and who sells never mix. */
const OF_DIRECTION: ReadonlySet<SortBy> = new Set(["customerRef", "customerName", "supplierName"]);
/** Of names, which are in the order of their bytes on every server. */
const OF_BYTES: ReadonlySet<SortBy> = new Set(["customerName", "supplierName"]);
const DATES: readonly Name[] = ["dateFrom", "dateTo"];
/** What is kept of each value. */
const OF_VALUES: ReadonlySet<Name> = new Set(["kco", "dct", "direction", "payable"]);
/** Words are found by themselves, in whatever of an invoice has them; where they are to stand is read of each. */
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
 * Invoices that share what they are sorted by are in the order of their date, those of one direction by themselves. Only values that
 * some of the filter's companies, types and so on have are gone through, and of each the invoices of the filter's dates; which of them
 * fit is read.
 */
function walkBy(
  filter: InvoiceFilter,
  sortBy: SortBy,
  { inside, others }: ReturnType<typeof byIndex>,
): Walk | undefined {
  const isShared = INVOICE_SORT[sortBy][1] === invoices.issueDate && sortBy !== "dueDate" &&
    !isFixed(filter, sortBy);
  const isOfValues = (it: Name) => DATES.includes(it) || OF_VALUES.has(it);
  const isWalked = others.every((it) => isOfValues(it) || it === "status") &&
    (others.some(isOfValues) || !others.length);
  if (!isShared || !isWalked) return undefined;
  const { status, ...ofAny } = inside;
  // Of one status an index may have them side by side; of several it has not.
  const isOfOne = sortBy !== "status" && status?.length === 1;
  const read = partOf(filter, [...others.filter((it) => !DATES.includes(it)), ...OF_WORDS]);
  return {
    values: valuesOf(filter, sortBy),
    inside: conditionsOf({ ...isOfOne ? inside : ofAny, ...partOf(filter, DATES) }),
    others: conditionsOf(isOfOne ? read : { status, ...read }),
    isWhole: sortBy === "status" ? isNothing(ofAny) : !DATES.some((it) => filter[it]),
  };
}

/** What invoices are counted by. */
const COUNTED_BY: Readonly<Partial<Record<SortBy, "status" | "kco" | "dct">>> = {
  status: "status",
  kco: "kco",
  fedct: "dct",
};

/** Those that the filter's invoices have; some of them they may only have had. */
function valuesOf(filter: InvoiceFilter, sortBy: SortBy): SQL {
  const by = COUNTED_BY[sortBy];
  if (by) {
    const value = sql.raw(by);
    return sql`(select ${value} from (${
      counts(filter, by)
    }) it group by ${value} having sum(n) > 0)`;
  }
  const { kco, dct, direction, payable } = filter;
  const value = OF_BYTES.has(sortBy) ? byBytes(invoiceValues.value) : invoiceValues.value;
  const own = and(
    eq(invoiceValues.sortBy, sql.raw(`'${sortBy}'`)),
    kco ? eq(invoiceValues.kco, kco) : undefined,
    dct ? eq(invoiceValues.dct, dct) : undefined,
    direction ? eq(invoiceValues.direction, direction) : undefined,
    payable === undefined ? undefined : eq(invoiceValues.payable, payable),
  );
  return sql`(select ${value} from ${invoiceValues} where ${own})`;
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

/** As the kept counts and values know it: nobody pays a credit note, nor an invoice of which nothing is left. */
function isPayable(payable: boolean): SQL {
  const isIt = sql`is_payable(${invoices.invoiceType}, ${invoices.amountDue})`;
  return payable ? isIt : sql`not ${isIt}`;
}

/**
 * Those whose customer or supplier is one of the kept ones that have the words: where all invoices have them, but somewhere else, none of
 * them is read in vain. A customer may have one word in the name and another in the number: where the name has not all, the number has one.
 * A number is kept by its beginning.
 */
function ofNames({ customer, supplier }: InvoiceFilter): SQL | undefined {
  const { value } = invoiceValues;
  const named = (text: string) => and(...wordsIn(text, (pattern) => like(value, pattern)));
  const numbered = (text: string) =>
    or(sql`length(${value}) = 100`, ...wordsIn(text, (pattern) => ilike(value, pattern)));
  return and(
    supplier ? isKept("supplierName", nameKey(invoices.supplierName), named(supplier)) : undefined,
    customer
      ? or(
        isKept("customerName", byBytes(invoices.customerSort), named(customer)),
        isKept("customerRef", beginning(invoices.customerRef), numbered(customer)),
      )
      : undefined,
  );
}

/** Of any direction: what two conditions have in common PostgreSQL would ask by itself, and use the index of neither. */
function isKept(sortBy: SortBy, key: SQL, has: SQL | undefined): SQL {
  const value = OF_BYTES.has(sortBy) ? byBytes(invoiceValues.value) : invoiceValues.value;
  const directions = OF_BYTES.has(sortBy) ? "{issued,received}" : "{received,issued}";
  return sql`(${invoices.direction} = any (${sql.raw(`'${directions}'`)}) and ${key} = any (array(
    select ${value} from ${invoiceValues}
    where ${invoiceValues.sortBy} = ${sql.raw(`'${sortBy}'`)} and ${has})))`;
}

/** Of each word that what it is looked for in has it; names are folded as words are. */
function wordsIn(text: string | undefined, isIn: (pattern: string) => SQL | undefined) {
  return searchWordsIn(text ?? "").map(({ word }) => isIn(likeAnywhere(word)));
}

/**
 * Of what an index has side by side. PostgreSQL takes a status for as frequent in a company, a type or a direction as it is in all, and
 * would read all of a company in search of one that it hardly has; of one it is not told it takes the index of both.
 */
function sideBySide({ status, ...others }: InvoiceFilter): SQL | undefined {
  const [first] = status ?? [];
  if (status?.length !== 1 || first === undefined || !isOfGroup(others)) {
    return conditionsOf({ status, ...others });
  }
  return and(sql`${invoices.status} = (select ${first}::text)`, conditionsOf(others));
}

function isOfGroup({ kco, dct, direction }: InvoiceFilter): boolean {
  return Boolean(kco || dct || direction);
}

/** Each value once, as rows that PostgreSQL is not told of before it reads them. */
function unknown(values: readonly string[]): SQL {
  const rows = [...new Set(values)].map((it) => sql`(${it}::text)`);
  return sql`(values ${sql.join(rows, sql`, `)})`;
}

function isOneOf(column: PgColumn, values: readonly string[]): SQL {
  const [first = ""] = values;
  return values.length === 1 ? eq(column, first) : inArray(column, [...values]);
}

/** Whether the kept counts tell how many there are. */
export function isCounted(
  { direction: _, status: __, kco: ___, dct: ____, payable: _____, ...others }: InvoiceFilter,
): boolean {
  return isNothing(others);
}

function isNothing(filter: InvoiceFilter): boolean {
  return Object.values(filter).every((it) => it === undefined);
}

export function countIn(filter: InvoiceFilter): SQL<number> {
  return sql<number>`(select coalesce(sum(n), 0)::int from (${counts(filter)}) it)`;
}

/** What is kept of those that fit as far as counts tell; of their companies and types only where `by` or the filter asks for it. */
function counts(
  { direction, status, kco, dct, payable }: InvoiceFilter,
  by?: "status" | "kco" | "dct",
): SQL {
  const isOfGroup = by === "kco" || by === "dct" || kco || dct || payable !== undefined;
  const table = isOfGroup ? invoiceGroupCounts : invoiceCounts;
  const where = and(
    direction ? eq(table.direction, direction) : undefined,
    status ? isOneOf(table.status, status) : undefined,
    kco ? eq(invoiceGroupCounts.kco, kco) : undefined,
    dct ? eq(invoiceGroupCounts.dct, dct) : undefined,
    payable === undefined ? undefined : eq(invoiceGroupCounts.payable, payable),
  );
  return sql`select ${sql.raw(by ?? "status")}, n from ${table}${where && sql` where ${where}`}`;
}
