import type { components } from "../../api/schema.d.ts";
import { isCreditNote } from "./credit.ts";
import { UNANSWERED } from "./unanswered.ts";

/**
 * Amount due at a VAT rate, VAT included, in cents, and the amount already reported to the PA or about to be.
 */
export interface Due {
  readonly rate: string;
  /** Negative for a negative invoice; positive for a credit note, whose refunds are positive here. */
  readonly gross: number;
  readonly reported: number;
}

/** Payments to count: those reported with this status in the invoice's currency. */
export interface Payments {
  readonly status: string;
  readonly currency: string;
  /** The invoice is a credit note: the API states its refunds as negative collected amounts. */
  readonly isCredit?: boolean;
}

type Vat = Pick<
  components["schemas"]["InvoiceVat"]["vat"][number],
  "taxRate" | "taxableAmount" | "taxAmount"
>;
type Message = Pick<
  components["schemas"]["StatusMessages"]["messages"][number],
  "status" | "state" | "amounts"
>;

const COLLECTED = "212";

/** Returns true for payments that are refunds of a credit note. */
export function isRefund({ status, isCredit = false }: Omit<Payments, "currency">): boolean {
  return isCredit && status === COLLECTED;
}

/** Returns the amounts due by VAT rate. */
export function computeDue(
  vat: readonly Vat[],
  messages: readonly Message[],
  payments: Payments,
): Due[] {
  const { status, currency } = payments;
  const isRefunded = isRefund(payments);
  const gross = new Map<string, number>();
  for (const { taxRate, taxableAmount, taxAmount } of vat) {
    const rate = String(taxRate ?? 0);
    const whole = (taxableAmount ?? 0) + (taxAmount ?? 0);
    add(gross, rate, isRefunded ? Math.abs(whole) : whole);
  }
  const reported = new Map<string, number>();
  for (const message of messages) {
    if (message.status !== status || message.state === "refused") continue;
    for (const it of message.amounts) {
      // Payments in another currency, used for VAT accounting, are not part of this sum.
      if (it.currency !== currency) continue;
      const amount = Number(it.amount);
      add(reported, String(Number(it.rate)), isRefunded ? -amount : amount);
    }
  }
  return [...gross].map(([rate, of]) => ({ rate, gross: of, reported: reported.get(rate) ?? 0 }));
}

/**
 * Returns the amount due with the sum that the invoice states as paid (`settled`, in cents). The messages lack payments
 * that were reported elsewhere, and those of samples. Several rates stay unchanged: the invoice states one sum only.
 */
export function addSettled(due: readonly Due[], settled: number): readonly Due[] {
  const [one] = due;
  if (due.length !== 1 || !one || Math.abs(settled) <= Math.abs(one.reported)) return due;
  return [{ ...one, reported: settled }];
}

function add(sums: Map<string, number>, rate: string, amount: number): void {
  sums.set(rate, (sums.get(rate) ?? 0) + Math.round(amount * 100));
}

/** Returns the amount left to pay or to refund, which is the most common payment. */
export function computeLeft({ gross, reported }: Due): string {
  const left = gross < 0 ? Math.min(gross - reported, 0) : Math.max(gross - reported, 0);
  return (left / 100).toFixed(2);
}

/**
 * Limits of all rates together, in cents: the `total` of the invoice, and its `open` amount. Payments that were
 * reported elsewhere lower the open amount. A limit is absent if it is unknown.
 */
interface Limits {
  readonly total?: number | undefined;
  readonly open?: number | undefined;
}

/**
 * Suggests the amount left for each rate, within the limits of all rates together. Prepayments reduce the whole; each
 * rate then gets its share.
 */
export function leftOfAll(due: readonly Due[], { total, open }: Limits): string[] {
  const each = due.map((it) => Math.round(Number(computeLeft(it)) * 100));
  const sum = each.reduce((all, it) => all + it, 0);
  const reported = due.reduce((all, it) => all + it.reported, 0);
  const unreported = total === undefined ? sum : total - reported;
  const left = open === undefined || Math.abs(unreported) <= Math.abs(open) ? unreported : open;
  if (Math.abs(sum) <= Math.abs(left) && sum * left >= 0 || sum === 0) return each.map(inUnits);
  if (sum * left < 0) return each.map(() => inUnits(0)); // more than the whole was reported
  const shares = each.map((it) => Math.trunc(it * left / sum));
  const rest = left - shares.reduce((all, it) => all + it, 0);
  const largest = shares.indexOf(
    shares.reduce((most, it) => Math.abs(it) > Math.abs(most) ? it : most, 0),
  );
  return shares.map((it, at) => inUnits(at === largest ? it + rest : it));
}

function inUnits(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** Returns true if a sum exceeds the amount that the invoice charges or refunds. */
export function isTooMuch(sum: number, { gross }: Due): boolean {
  return gross < 0 ? sum < gross : sum > gross;
}

/** Returns true for an amount that takes an earlier payment back. */
export function isTakenBack(amount: number, { gross }: Due): boolean {
  return gross < 0 ? amount > 0 : amount < 0;
}

type Charged = Pick<
  components["schemas"]["InvoiceFields"],
  "amountDue" | "invoiceType" | "openAmount" | "processType" | "settledAmount" | "totalTTC"
>;

/** Process types of invoices that are paid when issued. */
const PAID_FRAME = /^[BSM]2$/;

/** Returns the total that may be collected or refunded, in cents, as the API limits it. */
export function computeTotal(
  { amountDue, totalTTC, processType, invoiceType }: Charged,
): number | undefined {
  const total = PAID_FRAME.test(processType ?? "") ? totalTTC : amountDue ?? totalTTC;
  return toCents(total, isCreditNote(invoiceType));
}

/** Returns the amount paid or refunded beyond the total; 0 without any. */
export function computeExcess(invoice: Charged): number {
  const isCredit = isCreditNote(invoice.invoiceType);
  const settled = toCents(invoice.settledAmount, isCredit) ?? 0;
  const total = computeTotal(invoice) ?? settled;
  return Math.max(0, Math.abs(settled) - Math.abs(total)) / 100;
}

/** Returns an amount in cents; that of a credit note is positive. */
export function toCents(amount: number | null, isCredit: boolean): number | undefined {
  if (amount === null) return undefined;
  return Math.round((isCredit ? Math.abs(amount) : amount) * 100);
}

/** Fields that tell whether an invoice is overdue. */
export type PayableInvoice = Pick<
  components["schemas"]["InvoiceSummary"],
  | "amountDue"
  | "dueDate"
  | "invoiceType"
  | "openAmount"
  | "role"
  | "settledAmount"
  | "status"
  | "totalTTC"
>;

/** Statuses of an invoice that the platform holds and that nobody has paid, refused or cancelled. */
const TO_PAY: readonly string[] = [...UNANSWERED, "205", "206", "207", "208"];
/** A seller waits for the money until it arrives, although the buyer has sent it. */
const TO_COLLECT: readonly string[] = [...TO_PAY, "211"];
/** Statuses of an invoice that was paid, wholly or in part. */
const PAID: readonly string[] = ["211", COLLECTED];
const DAY_MS = 86_400_000;

/**
 * Returns the amount left of an invoice that was paid in part, or whose payment was taken back; 0 for others. Negative for a
 * credit note.
 */
export function getLeftOfPart(
  { openAmount, settledAmount, status }: Pick<
    PayableInvoice,
    "openAmount" | "settledAmount" | "status"
  >,
): number {
  return PAID.includes(status) && settledAmount !== null ? openAmount ?? 0 : 0;
}

/** Returns the number of days since an unpaid invoice was due; 0 for an invoice that is not overdue. */
export function countDaysLate(invoice: PayableInvoice, day: string): number {
  const { amountDue, dueDate, invoiceType, role, status, totalTTC } = invoice;
  const isOpen = (role === "seller" ? TO_COLLECT : TO_PAY).includes(status) ||
    getLeftOfPart(invoice) > 0;
  const isCharged = (amountDue ?? totalTTC ?? 0) > 0 && !isCreditNote(invoiceType);
  if (!isOpen || !isCharged || !dueDate) return 0;
  return Math.max(0, (Date.parse(day) - Date.parse(dueDate)) / DAY_MS);
}
