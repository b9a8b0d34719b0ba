import {
  and,
  between,
  eq,
  gte,
  ilike,
  inArray,
  like,
  lte,
  not,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { nameKey, signAmount } from "#drizzle/schema/expressions.ts";
import { invoices } from "#drizzle/schema/mod.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { settledStatuses } from "#src/domain/finance/mod.ts";
import { isPaidShare, type PaidShare } from "#src/domain/invoice/paid_label.ts";
import { type FieldIn, fieldsIn, getColumn, getField } from "#src/domain/invoice/fields.ts";
import type { Role, TreatmentCode } from "#src/domain/treatment/mod.ts";
import { likeAnywhere, spellLigatures } from "#src/kernel/text.ts";
import type { List } from "#src/platform/lists/list.ts";
import { hasWords, searchWordsIn } from "#src/platform/lists/search.ts";
import { isRejectedFor } from "./cause_views.ts";
import { IS_UNANSWERED } from "./answer_views.ts";
import { type AttentionFilter, divideWaiting, waitsForPerson } from "./attention_views.ts";
import { hasVat, IS_COUNTED, IS_OPEN, type VatChoice } from "./figure_views.ts";
import { IS_FIRST_ACCEPTED, IS_NOT_FIRST_ACCEPTED } from "./acceptance_views.ts";
import { hasRole } from "./role_views.ts";
import { foldedKey, type SortKey, textKey } from "#src/platform/lists/sort_key.ts";

/** Orders with an index, and orders whose key is not the column itself. */
const OWN_SORT = {
  fedoc: [invoices.doc, invoices.dct, invoices.kco],
  ublNumber: [invoices.ublNumber, invoices.id],
  issueDate: [invoices.issueDate, invoices.id],
  dueDate: byDate(invoices.dueDate),
  totalTTC: [signedKey(invoices.totalTTC), invoices.id],
  customerName: byDate(invoices.customerSort),
  supplierName: byDate(foldedKey(invoices.supplierName)),
  status: byDate(invoices.status),
  createdAt: [invoices.createdAt, invoices.id],
} as const satisfies Record<string, readonly SortKey[]>;

type SortName = FieldIn<"list"> | keyof typeof OWN_SORT;
type OtherSorts = Record<Exclude<SortName, keyof typeof OWN_SORT>, readonly SortKey[]>;

/** Returns orders for the fields of the list that `OWN_SORT` does not name. */
function otherSorts(): OtherSorts {
  const others = fieldsIn("list").filter((it) => !Object.hasOwn(OWN_SORT, it));
  const sorts = others.map((it) => {
    const column = invoices[getColumn(it)];
    const { kind } = getField(it);
    const key = kind === "amount" ? signedKey(column) : kind === "text" ? textKey(column) : column;
    return [it, byDate(key)];
  });
  return Object.fromEntries(sorts) as OtherSorts;
}

/** Returns the sort key of an amount, which is negative for credit notes. */
function signedKey(amount: PgColumn): SortKey {
  return { expression: signAmount(amount, invoices.invoiceType), type: "numeric", nullable: true };
}

/** Orders of invoices: every field of the list, and the time of recording. */
export const INVOICE_SORT: Readonly<Record<SortName, readonly SortKey[]>> = {
  ...OWN_SORT,
  ...otherSorts(),
};

/** Sorts invoices with the same value by their dates. */
function byDate(key: SortKey): readonly SortKey[] {
  return [key, invoices.issueDate, invoices.id];
}

export type SortBy = keyof typeof INVOICE_SORT;

/** Condition of each filter. Filters by number and name also use the words in `searchText`, which have an index. */
const CONDITIONS = {
  search: (text: string) => isFoundBy(text),
  /** Stored status codes and shares of paid invoices, any of which matches. */
  status: (codes: readonly string[]) => or(...selectStatuses(codes)),
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
  /** True selects received invoices that wait for our answer, false all others. */
  unanswered: (unanswered: boolean) => unanswered ? IS_UNANSWERED : not(IS_UNANSWERED),
  /** True selects sales that the PA accepted at the first submission, false those that it did not accept then. */
  firstAccepted: (accepted: boolean) => accepted ? IS_FIRST_ACCEPTED : IS_NOT_FIRST_ACCEPTED,
  currency: (code: string) => eq(invoices.currency, code),
  vat: (vat: VatChoice) => hasVat(vat),
  /** Rule for which the checks rejected the invoice first. */
  cause: (rule: string) => isRejectedFor(rule),
} as const;

type Name = keyof typeof CONDITIONS;
const NAMES = Object.keys(CONDITIONS) as Name[];

/** Values of the filters; an absent or empty one selects all invoices. */
export type InvoiceFilter = {
  readonly [N in Name]?: Parameters<(typeof CONDITIONS)[N]>[0] | undefined;
};

/** Filters that an index serves in each order. Orders that are not listed have no index. */
const INDEXED: Readonly<Partial<Record<SortBy, readonly Name[]>>> = {
  fedoc: [],
  ublNumber: [],
  issueDate: ["status", "direction", "dateFrom", "dateTo", "attention", "treatment"],
  dueDate: ["dueFrom", "dueTo"],
  totalTTC: [],
  status: ["status", "direction", "dateFrom", "dateTo"],
  createdAt: ["recordedFrom"],
};
const TEXTS = ["search", "ublNumber", "customer", "supplier"] as const satisfies readonly Name[];

/** Rows read in order before a sort. Words get fewer: testing them takes ten times as long as other conditions. */
const READ_AHEAD = 2_000;
const READ_AHEAD_FOR_WORDS = 300;

/** Divides the filter into the conditions that an index of this order serves, and the others. */
export function dividedFor(
  filter: InvoiceFilter,
  sortBy: SortBy,
): Pick<List, "anyOf" | "filter" | "isUnindexed" | "readAhead" | "where"> {
  const indexed = INDEXED[sortBy];
  if (!indexed) return { filter: matching(filter), isUnindexed: true };
  const names = (Object.keys(filter) as Name[]).filter((it) => filter[it] !== undefined);
  const isInside = (it: Name) => indexed.includes(it) && isServed(filter, it);
  const hasTexts = TEXTS.some((it) => filter[it]);
  return {
    ...readFor(pickFilters(filter, names.filter(isInside))),
    filter: matching(pickFilters(filter, names.filter((it) => !isInside(it)))),
    readAhead: hasTexts ? READ_AHEAD_FOR_WORDS : READ_AHEAD,
  };
}

/** Checks whether an index serves the value of a filter. */
function isServed(filter: InvoiceFilter, name: Name): boolean {
  // Of the treatments, only this one is among the points that wait for a person.
  if (name === "treatment") return String(filter.treatment) === "UNDECIDED";
  const { attention, status } = filter;
  if (name !== "attention" || !attention) return true;
  // Statuses are already read one by one.
  if (status) return !attention.includes("waiting");
  return divideWaiting(attention) !== undefined || !attention.includes("status");
}

/** Reads each status separately, because the index begins with it. */
function readFor({ status, ...others }: InvoiceFilter): Pick<List, "anyOf" | "where"> {
  const parts = others.attention && !status ? divideWaiting(others.attention) : undefined;
  if (parts) return { where: matching({ ...others, attention: undefined }), anyOf: parts };
  return { where: matching(others), anyOf: status && selectStatuses(status) };
}

/** Returns a condition for each status, disjoint from the others; an index begins with the status. */
function selectStatuses(given: readonly string[]): SQL[] {
  const codes = new Set(given.filter((it) => !isPaidShare(it)));
  const shares = [...new Set(given.filter(isPaidShare))].map(hasShare);
  const paid = shares.length ? settledStatuses("buyer").filter((it) => !codes.has(it)) : [];
  return [
    ...[...codes].map((it) => eq(invoices.status, it)),
    ...paid.map((it) => sql`(${and(eq(invoices.status, it), or(...shares))})`),
  ];
}

/** Selects invoices that were paid in full or in part, among those with a status of payment. */
function hasShare(share: PaidShare): SQL | undefined {
  const isPaid = or(hasRole("buyer"), inArray(invoices.status, [...settledStatuses("seller")]));
  return and(isPaid, share === "paid-in-part" ? IS_OPEN : not(IS_OPEN));
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

/**
 * Selects invoices with all words of a search. A search that is an amount also finds totals with VAT: those with any cents
 * if it has none. An amount with a minus finds credit notes too, whose totals are stored without it.
 */
function isFoundBy(search: string): SQL | undefined {
  const words = hasWords(invoices.searchText, search);
  const amount = amountIn(search);
  if (amount === undefined) return words;
  const { isNegative, from, to } = amount;
  const isTotal = between(invoices.totalTTC, from, to);
  if (!isNegative) return or(words, isTotal);
  const isMinus = between(invoices.totalTTC, `-${to}`, `-${from}`);
  return or(words, isMinus, and(isTotal, inArray(invoices.invoiceType, [...CREDIT_NOTES])));
}

/** Selects the invoices with exactly this number, which may still be typed. Capital letters are optional. */
export function hasNumber(search: string): SQL {
  const number = search.replace(/\*$/, "").trim();
  return inArray(invoices.ublNumber, [...new Set([number, number.toUpperCase()])]);
}

const AMOUNT = /^(-?)(\d{1,15}|\d{1,3}(?:[.,]\d{3}){1,4})(?:[.,](\d{0,2}))?$/;

/**
 * Reads an amount as people write it: `7 211,99 €`, `7,211.99` or `−7211.99`. Missing cents stand for all cents. The `*` of
 * a word being typed is ignored.
 */
function amountIn(search: string) {
  const digits = search.replace(/[\s'’€$£*]|EUR/giu, "").replace(/^−/, "-");
  const [, sign, whole, cents = ""] = AMOUNT.exec(digits) ?? [];
  if (whole === undefined) return undefined;
  const plain = `${whole.replace(/[.,]/g, "")}.${cents}`;
  return {
    isNegative: sign === "-",
    from: plain + "00".slice(cents.length),
    to: plain + "99".slice(cents.length),
  };
}

/** Selects payable invoices, or else credit notes and invoices without an amount due. */
function isPayable(payable: boolean): SQL {
  const isIt = sql`is_payable(${invoices.invoiceType}, ${invoices.amountDue})`;
  return payable ? isIt : sql`not ${isIt}`;
}

/** Selects a direction. It is a literal, so that PostgreSQL plans a prepared statement for it. */
function hasDirection(direction: "issued" | "received"): SQL {
  return sql`${invoices.direction} = ${sql.raw(`'${direction}'`)}`;
}

/** Selects the rows that contain each word of a text. */
function wordsIn(text: string, isIn: (pattern: string) => SQL | undefined): SQL | undefined {
  return and(
    ...searchWordsIn(text).map(({ word }) =>
      or(...spellLigatures(word).map((it) => isIn(likeAnywhere(it))))
    ),
  );
}

function isOneOf(column: PgColumn, values: readonly string[]): SQL {
  const [first = ""] = values;
  return values.length === 1 ? eq(column, first) : inArray(column, [...values]);
}
