import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import type { PageWords } from "../labels/words.ts";
import type { DrawingSurface } from "../sheet.ts";

/** Data that every section of the page needs. */
export interface Scene {
  readonly sheet: DrawingSurface;
  readonly invoice: InvoiceDocument;
  readonly words: PageWords;
}

/** Label and value; entries without a value are not shown. */
export type LabelledValue = readonly [label: string, value: string | undefined];

export function filterKnown(facts: readonly LabelledValue[]): (readonly [string, string])[] {
  return facts.flatMap(([label, value]) =>
    value === undefined || value === "" ? [] : [[label, value] as const]
  );
}

/** Joins the parts that exist; returns undefined if none exists. */
export function joinParts(
  parts: readonly (string | undefined)[],
  separator: string,
): string | undefined {
  return parts.filter((part) => part !== undefined && part !== "").join(separator) || undefined;
}

/** Returns the amount with the opposite sign, for deductions; zero gets no sign. */
export function negateAmount(amount: string | undefined): string | undefined {
  if (amount === undefined || Number(amount) === 0) return amount;
  return amount.startsWith("-") ? amount.slice(1) : `-${amount.replace("+", "")}`;
}

/** Values with which an ERP fills an empty field. */
const PLACEHOLDER = /^(?:n\/?a|-+|\.)$/i;

/** Returns the reference, or undefined for a placeholder. */
export function omitPlaceholder(reference: string | undefined): string | undefined {
  return PLACEHOLDER.test(reference?.trim() ?? "") ? undefined : reference;
}

/**
 * Returns true for a credit note whose amount the seller owes. A due date and the account of a sale would invite the
 * buyer to pay it.
 */
export function isOwedToBuyer({ kind, totals }: InvoiceDocument): boolean {
  return kind === "creditNote" && !(Number(totals.due) < 0);
}
