import { isDeposited, STATUS } from "#src/domain/invoice/status.ts";
import { STATUSES } from "#src/domain/invoice/status_catalogue.ts";

/** Issued invoices of one status. */
export interface SubmittedInvoices {
  readonly status: string;
  /** False if the invoice was submitted again. */
  readonly isFirst: boolean;
  /** Number of invoices with a submission. */
  readonly submitted: number;
}

/** Invoices whose first submission has an outcome, and those of them that the PA accepted. */
export interface Acceptance {
  readonly submitted: number;
  readonly accepted: number;
  /** Percent with one decimal; null without any outcome. */
  readonly rate: number | null;
}

/** Statuses of a first submission without an outcome. */
export const FIRST_WAITING: readonly string[] = [STATUS.created, STATUS.validated, STATUS.pending];
/** Statuses of an invoice that no PA accepted: it is not deposited, or was rejected after its deposit. */
export const FIRST_NOT_ACCEPTED: readonly string[] = [
  ...STATUSES.map((it) => it.code).filter((it) => !isDeposited(it)),
  STATUS.rejected,
  STATUS.notReceivable,
];

/** Computes the share of invoices that the PA accepted at the first submission. */
export function computeAcceptance(rows: readonly SubmittedInvoices[]): Acceptance {
  const settled = rows.filter((it) => !(it.isFirst && FIRST_WAITING.includes(it.status)));
  const first = settled.filter((it) => it.isFirst && !FIRST_NOT_ACCEPTED.includes(it.status));
  const submitted = countAll(settled);
  const accepted = countAll(first);
  const rate = submitted === 0 ? null : Math.round(1000 * accepted / submitted) / 10;
  return { submitted, accepted, rate };
}

function countAll(rows: readonly SubmittedInvoices[]): number {
  return rows.reduce((count, it) => count + it.submitted, 0);
}
