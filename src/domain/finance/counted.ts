import { isDeposited, STATUS } from "#src/domain/invoice/status.ts";
import { STATUSES } from "#src/domain/invoice/status_catalogue.ts";
import type { TreatmentCode } from "#src/domain/treatment/mod.ts";

/** Final statuses of an invoice that has no effect: rejected, refused, cancelled, not receivable. */
const VOID: readonly string[] = [
  STATUS.rejected,
  STATUS.refused,
  STATUS.cancelled,
  STATUS.notReceivable,
];

/**
 * Statuses whose invoices do not count in figures: not sent, not confirmed by a PA, or without effect. All other
 * statuses count, also those that only a PA knows.
 */
export const UNCOUNTED_STATUSES: readonly string[] = [
  ...STATUSES.filter(({ code }) => !isDeposited(code)).map(({ code }) => code),
  ...VOID,
];

/** Currency in which French companies declare VAT. */
export const BOOKS_CURRENCY = "EUR";

/** Treatments whose VAT is not part of the French declaration; the figures show it apart. */
const APART: Readonly<Record<"purchases" | "sales", ReadonlySet<TreatmentCode>>> = {
  // A consumer abroad may be taxed in the other country. An archived credit note undoes an invoice that does not count.
  sales: new Set(["B2CINT", "OUTOFSCOPE", "B2GOUTOFSCOPE", "ARCHIVEONLY"]),
  // VAT of another country is not deductible here; `UNDEFINED` is the treatment of a foreign supplier's invoice.
  purchases: new Set([
    "B2BINT",
    "B2CINT",
    "OUTOFSCOPE",
    "B2GOUTOFSCOPE",
    "ARCHIVEONLY",
    "UNDEFINED",
  ]),
};

/** Returns true if the VAT of a treatment counts in the totals of collected or deductible VAT. */
export function isInTotal(side: "purchases" | "sales", treatment: TreatmentCode): boolean {
  return !APART[side].has(treatment);
}
