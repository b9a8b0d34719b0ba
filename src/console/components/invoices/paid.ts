import type { components } from "../../api/schema.d.ts";
import { defineWords, useWords } from "../../i18n/language.ts";
import { isCreditNote } from "./credit.ts";
import { computeExcess, computeTotal, getLeftOfPart } from "./due.ts";
import { INVOICE } from "./words.ts";

type Summary = components["schemas"]["InvoiceSummary"];
type Fields = components["schemas"]["InvoiceFields"];
type Amounts = readonly Pick<components["schemas"]["PaidAmount"], "amount">[];

const PAYMENT_SENT = "211";
const COLLECTED = "212";
/** Names of payments, which the status alone does not state: of a refund, a part, and an amount that was taken back. */
const PAID = defineWords({
  en: {
    refunded: "Refunded",
    refundedInPart: "Refunded in part",
    collectedInPart: "Collected in part",
    paidInPart: "Paid in part",
    excess: { refunded: "Refunded too much", collected: "Overpaid", paid: "Paid too much" },
    part: { refunded: "Part refund", collected: "Part payment received", paid: "Part payment" },
    back: {
      refunded: "Refund taken back",
      collected: "Collection taken back",
      paid: "Payment taken back",
    },
  },
  fr: {
    refunded: "Remboursé",
    refundedInPart: "Remboursé en partie",
    collectedInPart: "Encaissée en partie",
    paidInPart: "Payée en partie",
    excess: { refunded: "Trop remboursé", collected: "Trop-perçu", paid: "Trop payé" },
    part: {
      refunded: "Remboursement partiel",
      collected: "Encaissement partiel",
      paid: "Paiement partiel",
    },
    back: {
      refunded: "Remboursement annulé",
      collected: "Encaissement annulé",
      paid: "Paiement annulé",
    },
  },
});

/** Returns the status of a credit note or of a part payment in its own words; undefined for others. */
export function usePaidStatus(): (invoice: Summary) => string | undefined {
  const words = useWords(PAID);
  return (invoice) => {
    const { role, status, invoiceType, openAmount, settledAmount } = invoice;
    const isRefund = status === COLLECTED && isCreditNote(invoiceType);
    const left = getLeftOfPart(invoice);
    if (left !== 0 && settledAmount === 0) {
      return words.back[isRefund ? "refunded" : role === "seller" ? "collected" : "paid"];
    }
    if (isRefund) return openAmount ? words.refundedInPart : words.refunded;
    if (left <= 0) return undefined;
    return role === "seller" ? words.collectedInPart : words.paidInPart;
  };
}

/** Returns the amount left to pay or to refund, or the amount paid beyond, with its name. */
export function useLeft(invoice: Fields): { name: string; value: number | null } {
  const words = useWords(INVOICE);
  const { excess: names } = useWords(PAID);
  const { invoiceType, openAmount, role } = invoice;
  const isCredit = isCreditNote(invoiceType);
  const excess = computeExcess(invoice);
  if (excess > 0) {
    return {
      name: names[isCredit ? "refunded" : role === "seller" ? "collected" : "paid"],
      value: excess,
    };
  }
  return {
    name: isCredit ? words.leftToRefund : words.outstanding,
    value: openAmount && Math.abs(openAmount),
  };
}

/** Returns the name of a payment in the history of this invoice; undefined for other statuses and usual payments. */
export function usePaymentName(
  invoice: Fields,
): (status: string, amounts: Amounts) => string | undefined {
  const { back, part, refunded } = useWords(PAID);
  const isCredit = isCreditNote(invoice.invoiceType);
  const total = (computeTotal(invoice) ?? 0) / 100;
  const whole = isCredit ? -total : total;
  return (status, amounts) => {
    if (status !== COLLECTED && status !== PAYMENT_SENT) return undefined;
    const isRefund = isCredit && status === COLLECTED;
    const kind = isRefund ? "refunded" : status === COLLECTED ? "collected" : "paid";
    const sum = amounts.reduce((all, it) => all + Number(it.amount), 0);
    if (sum * whole < 0) return back[kind];
    if (sum !== 0 && Math.abs(sum) < Math.abs(whole)) return part[kind];
    return isRefund ? refunded : undefined;
  };
}
