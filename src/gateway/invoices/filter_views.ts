import { and, eq, gte, ilike, inArray, like, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { nameKey } from "#drizzle/schema/expressions.ts";
import { invoices } from "#drizzle/schema/mod.ts";
import { type FieldIn, fieldsIn, getColumn } from "#src/domain/invoice/fields.ts";
import type { Role, TreatmentCode } from "#src/domain/treatment/mod.ts";
import { likeAnywhere } from "#src/kernel/text.ts";
import type { List } from "#src/platform/lists/list.ts";
import { hasWords, searchWordsIn } from "#src/platform/lists/search.ts";
import { type AttentionFilter, waitsForPerson } from "./attention_views.ts";
import { hasVat, IS_COUNTED, IS_OPEN, type VatChoice } from "./figure_views.ts";
import { hasRole } from "./role_views.ts";
import { foldedKey, type SortKey, textKey } from "#src/platform/lists/sort_key.ts";

/** Orders that have an index or a key of their own. Most orders sort invoices with the same value by their dates. */
const OWN_SORT = {
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

type SortName = FieldIn<"list"> | keyof typeof OWN_SORT;
type OtherSorts = Record<Exclude<SortName, keyof typeof OWN_SORT>, readonly SortKey[]>;

/** Returns orders for the fields of the list that `OWN_SORT` does not name. */
function otherSorts(): OtherSorts {
  const others = fieldsIn("list").filter((it) => !Object.hasOwn(OWN_SORT, it));
  const sorts = others.map((it) => [it, byDate(textKey(invoices[getColumn(it)]))]);
  return Object.fromEntries(sorts) as OtherSorts;
}

/** Orders of invoices: every field of the list, and the time of recording. */
export const INVOICE_SORT: Readonly<Record<SortName, readonly SortKey[]>> = {
  ...OWN_SORT,
  ...otherSorts(),
};

function byDate(key: SortKey): readonly SortKey[] {
  return [key, invoices.issueDate, invoices.id];
}

export type SortBy = keyof typeof INVOICE_SORT;

/** Condition of each filter. Filters by number and name also use the words in `searchText`, which have an index. */
const CONDITIONS = {
  search: (text: string) => isFoundBy(text),
  /** Stored status codes, any of which matches. */
  status: (codes: readonly string[]) => isOneOf(invoices.status, codes),
  ublNumber: (text: string) => wordsIn(text, (pattern) => ilike(invoices.ublNumber, pattern)),
  customer: (text: string) =>
    wordsIn(
      text,
      (pattern) => or(like(invoices.customerSort, pattern), ilike(invoices.customerRef, pattern)),
    ),
  /** Words of the supplier; only received invoices match. */
  supplier: (text: string) =>
    wordsIn(text, (pattern) => like(nameKey(invoices.supplierName), pattern)),
  kco: (code: string) => eq(invoices.kco, code),
  dct: (code: string) => eq(invoices.dct, code),
  direction: (direction: "issued" | "received") => hasDirection(direction),
  dateFrom: (day: string) => gte(invoices.issueDate, day),
  dateTo: (day: string) => lte(invoices.issueDate, day),
  dueFrom: (day: string) => gte(invoices.dueDate, day),
  dueTo: (day: string) => lte(invoices.dueDate, day),
  /** Earliest moment at which the product recorded the invoice. */
  recordedFrom: (moment: Date) => gte(invoices.createdAt, moment),
  /** Our side, seller or buyer, regardless of the document's origin. */
  role: (role: Role) => hasRole(role),
  /** Codes of treatments, any of which matches. */
  treatment: (codes: readonly TreatmentCode[]) => isOneOf(invoices.treatment, codes),
  attention: (filters: readonly AttentionFilter[]) => waitsForPerson(filters),
  /** True selects invoices with an amount to pay, false all others. */
  payable: (payable: boolean) => isPayable(payable),
  /** True selects invoices that count in figures, false all others. */
  counted: (counted: boolean) => counted ? IS_COUNTED : not(IS_COUNTED),
  /** True selects invoices with an open amount, false all others. */
  open: (open: boolean) => open ? IS_OPEN : not(IS_OPEN),
  currency: (code: string) => eq(invoices.currency, code),
  vat: (vat: VatChoice) => hasVat(vat),
} as const;

type Name = keyof typeof CONDITIONS;
const NAMES = Object.keys(CONDITIONS) as Name[];

/** Values of the filters; an absent or empty one selects all invoices. */
export type InvoiceFilter = {
  readonly [N in Name]?: Parameters<(typeof CONDITIONS)[N]>[0] | undefined;
};

type Indexed = readonly (readonly Name[])[];

/** Combinations of filters that an index serves in each order. Orders that are not listed have no index. */
const INDEXED: Readonly<Partial<Record<SortBy, Indexed>>> = {
  fedoc: [[]],
  kco: [["kco", "dateFrom", "dateTo"]],
  ublNumber: [[]],
  issueDate: [
    ["status", "dateFrom", "dateTo"],
    ["kco", "dateFrom", "dateTo"],
    ["direction", "dateFrom", "dateTo"],
  ],
  dueDate: [["dueFrom", "dueTo"]],
  invoiceType: [[]],
  totalHT: [[]],
  totalTTC: [[]],
  amountDue: [[]],
  customerName: [["direction", "status"]],
  supplierName: [["direction", "status"]],
  status: [["status", "dateFrom", "dateTo"]],
  createdAt: [["recordedFrom"]],
};
/** Orders whose index begins with the status, and orders whose index begins with the direction. */
const BY_STATUS: ReadonlySet<SortBy> = new Set(["issueDate", "status"]);
const BY_DIRECTION: ReadonlySet<SortBy> = new Set(["customerName", "supplierName"]);
const TEXTS = ["search", "ublNumber", "customer", "supplier"] as const satisfies readonly Name[];
const DIRECTIONS = ["issued", "received"] as const;

/** Rows read in order before a sort. Words get fewer: testing them takes ten times as long as other conditions. */
const READ_AHEAD = 2_000;
const READ_AHEAD_FOR_WORDS = 300;

/** Divides the filter into the conditions that an index of this order serves, and the others. */
export function dividedFor(
  filter: InvoiceFilter,
  sortBy: SortBy,
): Pick<List, "anyOf" | "countBy" | "filter" | "readAhead" | "where"> {
  const names = (Object.keys(filter) as Name[]).filter((it) => filter[it] !== undefined);
  const indexed = INDEXED[sortBy];
  if (!indexed) return { filter: matching(filter), countBy: INVOICE_SORT.issueDate };
  const isInside = (it: Name) =>
    it !== "status" || filter.status?.length === 1 || BY_STATUS.has(sortBy);
  const inside = indexed.map((all) => names.filter((it) => all.includes(it) && isInside(it)))
    .reduce((most, it) => it.length > most.length ? it : most);
  const others = names.filter((it) => !inside.includes(it));
  const hasTexts = TEXTS.some((it) => filter[it]);
  return {
    ...readFor(pickFilters(filter, inside), sortBy),
    filter: matching(pickFilters(filter, others)),
    readAhead: hasTexts ? READ_AHEAD_FOR_WORDS : READ_AHEAD,
  };
}

/** Reads each status or direction separately if the index of the order begins with it. */
function readFor(filter: InvoiceFilter, sortBy: SortBy): Pick<List, "anyOf" | "where"> {
  const { status, ...others } = filter;
  if (status && BY_STATUS.has(sortBy)) {
    const anyOf = [...new Set(status)].map((it) => eq(invoices.status, it));
    return { where: matching(others), anyOf };
  }
  const isMerged = BY_DIRECTION.has(sortBy) && !filter.direction;
  return { where: matching(filter), anyOf: isMerged ? DIRECTIONS.map(hasDirection) : undefined };
}

function pickFilters(filter: InvoiceFilter, names: readonly Name[]): InvoiceFilter {
  return Object.fromEntries(names.map((it) => [it, filter[it]]));
}

/** Selects the invoices that match the filter. */
export function matching(filter: InvoiceFilter): SQL | undefined {
  const { ublNumber, customer, supplier } = filter;
  const texts = [ublNumber, customer, supplier].flatMap((it) => it || []);
  return and(hasWords(invoices.searchText, ...texts), ...NAMES.map((it) => condition(filter, it)));
}

function condition<N extends Name>(filter: InvoiceFilter, name: N): SQL | undefined {
  const value = filter[name];
  if (value === undefined || value === "") return undefined;
  const select = CONDITIONS[name] as (value: InvoiceFilter[N]) => SQL | undefined;
  return select(value);
}

/** Selects invoices with all words of a search. A search that is an amount also finds the totals that equal it. */
function isFoundBy(search: string): SQL | undefined {
  const words = hasWords(invoices.searchText, search);
  const amount = amountIn(search);
  if (amount === undefined) return words;
  return or(
    words,
    eq(invoices.totalTTC, amount),
    eq(invoices.totalHT, amount),
    eq(invoices.amountDue, amount),
  );
}

const AMOUNT = /^(-?\d{1,15}|-?\d{1,3}(?:[.,]\d{3}){1,4})(?:[.,](\d{1,2}))?$/;

/** Reads an amount as people write it: `7 211,99 €`, `7,211.99` or `7211.99`. */
function amountIn(search: string): string | undefined {
  const [, whole, cents = "0"] = AMOUNT.exec(search.replace(/[\s'’€$£]|EUR/giu, "")) ?? [];
  return whole && `${whole.replace(/[.,]/g, "")}.${cents}`;
}

/** Selects payable invoices, or else credit notes and invoices without an amount due. */
function isPayable(payable: boolean): SQL {
  const isIt = sql`is_payable(${invoices.invoiceType}, ${invoices.amountDue})`;
  return payable ? isIt : sql`not ${isIt}`;
}

/** Selects a direction. It is a literal, so that PostgreSQL plans a prepared statement for it. */
function hasDirection(direction: (typeof DIRECTIONS)[number]): SQL {
  return sql`${invoices.direction} = ${sql.raw(`'${direction}'`)}`;
}

/** Selects the rows that contain each word of a text. */
function wordsIn(text: string, isIn: (pattern: string) => SQL | undefined): SQL | undefined {
  return and(...searchWordsIn(text).map(({ word }) => isIn(likeAnywhere(word))));
}

function isOneOf(column: PgColumn, values: readonly string[]): SQL {
  const [first = ""] = values;
  return values.length === 1 ? eq(column, first) : inArray(column, [...values]);
}
