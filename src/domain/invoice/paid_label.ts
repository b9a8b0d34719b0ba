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
  const labels = isRefund ? REFUND : role === "seller" ? COLLECTION : PAYMENT;
  if (!openAmount || settledAmount === null) return isRefund ? labels.whole : undefined;
  return settledAmount === 0 ? labels.back : labels.part;
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
const COLLECTION: Labels = {
  part: { fr: "Encaissée en partie", en: "Collected in part" },
  back: { fr: "Encaissement annulé", en: "Collection taken back" },
};
const PAYMENT: Labels = {
  part: { fr: "Payée en partie", en: "Paid in part" },
  back: { fr: "Paiement annulé", en: "Payment taken back" },
};
