import type { Text } from "#src/kernel/i18n/sentence.ts";
import { CREDIT_NOTES } from "./credit_notes.ts";
import { STATUS } from "./status.ts";

/** Amounts of an invoice that was paid or refunded. */
interface Paid {
  readonly role: "seller" | "buyer";
  readonly status: string;
  readonly invoiceType: string | null;
  /** Sum of the payments that state an amount; null without any. */
  readonly settledAmount: number | null;
  /** Amount left; negative for a credit note. */
  readonly openAmount: number | null;
}

/**
 * Returns the label of a status of payment that its catalogue does not tell: of a refund, a part payment, and a payment
 * that was taken back. Undefined for all others.
 */
export function paidLabel(
  { role, status, invoiceType, settledAmount, openAmount }: Paid,
): Text | undefined {
  const isCollected = status === STATUS.paymentReceived;
  if (!isCollected && status !== STATUS.paymentSent) return undefined;
  const isRefund = isCollected && CREDIT_NOTES.has(invoiceType ?? "");
  const labels: Labels = isRefund ? REFUND : role === "seller" ? COLLECTION : PAYMENT;
  if (!openAmount || settledAmount === null) return isRefund ? labels.whole : undefined;
  return settledAmount === 0 ? labels.back : labels.part;
}

/** Values of the status filter that select paid invoices: nothing of them is open, or an amount is. */
export const PAID_SHARES = ["paid-in-full", "paid-in-part"] as const;
export type PaidShare = typeof PAID_SHARES[number];

export function isPaidShare(status: string): status is PaidShare {
  return PAID_SHARES.some((it) => it === status);
}

/** Returns the label of a share of paid sales or purchases. */
export function shareLabel(share: PaidShare, role: "seller" | "buyer"): Text {
  const { full, part } = role === "seller" ? COLLECTION : PAYMENT;
  return share === "paid-in-full" ? full : part;
}

interface Labels {
  readonly whole?: Text;
  readonly part: Text;
  readonly back: Text;
}

const REFUND: Labels = {
  whole: { fr: "Remboursé", en: "Refunded" },
  part: { fr: "Remboursé en partie", en: "Refunded in part" },
  back: { fr: "Remboursement annulé", en: "Refund taken back" },
};
const COLLECTION = {
  full: { fr: "Encaissée en totalité", en: "Collected in full" },
  part: { fr: "Encaissée en partie", en: "Collected in part" },
  back: { fr: "Encaissement annulé", en: "Collection taken back" },
};
const PAYMENT = {
  full: { fr: "Payée en totalité", en: "Paid in full" },
  part: { fr: "Payée en partie", en: "Paid in part" },
  back: { fr: "Paiement annulé", en: "Payment taken back" },
};
