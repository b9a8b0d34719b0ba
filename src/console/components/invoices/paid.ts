import type { components } from "../../api/schema.d.ts";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import { isCreditNote } from "./credit.ts";
import { computeExcess, computeTotal, getLeftOfPart } from "./due.ts";
import { INVOICE } from "./words.ts";

type Summary = components["schemas"]["InvoiceSummary"];
type Fields = components["schemas"]["InvoiceFields"];
type Amounts = readonly Pick<components["schemas"]["PaidAmount"], "amount" | "currency">[];

const PAYMENT_SENT = "211";
const COLLECTED = "212";
/** Names of payments, which the status alone does not state: of a refund, a part, and an amount that was taken back. */
const PAID = defineWords({
  en: {
    refund: "Refund",
    refunded: "Refunded",
    refundedInPart: "Refunded in part",
    collectedInFull: "Collected in full",
    collectedInPart: "Collected in part",
    paidInFull: "Paid in full",
    paidInPart: "Paid in part",
    excess: { refunded: "Refunded too much", collected: "Overpaid", paid: "Paid too much" },
    rest: { refunded: "Rest refunded", collected: "Rest collected", paid: "Rest paid" },
    part: { refunded: "Part refund", collected: "Part payment received", paid: "Part payment" },
    back: {
      refunded: "Refund taken back",
      collected: "Collection taken back",
      paid: "Payment taken back",
    },
  },
  fr: {
    refund: "Remboursement",
    refunded: "Remboursé",
    refundedInPart: "Remboursé en partie",
    collectedInFull: "Encaissée en totalité",
    collectedInPart: "Encaissée en partie",
    paidInFull: "Payée en totalité",
    paidInPart: "Payée en partie",
    excess: { refunded: "Trop remboursé", collected: "Trop-perçu", paid: "Trop payé" },
    rest: { refunded: "Solde remboursé", collected: "Solde encaissé", paid: "Solde payé" },
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

/** Returns the choices of sales or purchases that were paid in full or in part, as the API names them. */
export function useShares(direction: "issued" | "received" | undefined) {
  const words = useWords(PAID);
  if (!direction) return [];
  const [full, part] = direction === "issued"
    ? [words.collectedInFull, words.collectedInPart]
    : [words.paidInFull, words.paidInPart];
  return [{ value: "paid-in-full", label: full }, { value: "paid-in-part", label: part }];
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

/** Returns true for the moment of a payment whose day alone a person entered: it is stored at noon. */
export function isDayOnly(moment: string): boolean {
  return moment.includes("T12:00:00");
}

type Named = (status: string, amounts: Amounts) => string | undefined;

/** Returns the name of one payment of this invoice; undefined for other statuses and usual payments. */
export function usePaymentName(invoice: Fields): Named {
  const { back, refund } = useWords(PAID);
  const whole = getWhole(invoice);
  return (status, amounts) => {
    const kind = getKind(status, invoice);
    if (kind === undefined) return undefined;
    const sum = sumOf(amounts, invoice.currency);
    return sum * whole < 0 ? back[kind] : kind === "refunded" ? refund : undefined;
  };
}

/** Returns the name of a status that is sent now; that of a payment has its amount, and states whether it settles a part or the rest. */
export function useSentName(
  invoice: Fields,
): (status: { code: string; name: string }, amounts: Amounts) => string {
  const { part, rest } = useWords(PAID);
  const getName = usePaymentName(invoice);
  const { amount } = useFormats();
  const { currency, settledAmount } = invoice;
  const whole = getWhole(invoice);
  return ({ code, name }, amounts) => {
    const kind = getKind(code, invoice);
    if (kind === undefined) return name;
    const sum = sumOf(amounts, currency);
    const before = Math.round((settledAmount ?? 0) * 100);
    const after = before + sum;
    const isMore = sum * whole > 0;
    const isPart = isMore && Math.abs(after) < Math.abs(whole);
    const isRest = isMore && before !== 0 && after === whole;
    const own = isPart ? part[kind] : isRest ? rest[kind] : getName(code, amounts) ?? name;
    return `${own} (${amount(Math.abs(sum) / 100, currency)})`;
  };
}

/**
 * Returns the payments in the history of this invoice by their names, the oldest event first. A payment settles a part, the
 * rest or too much, or takes an earlier payment back.
 */
export function usePaymentNames(invoice: Fields): (events: readonly Event[]) => readonly Name[] {
  const words = useWords(PAID);
  const whole = getWhole(invoice);
  return (events) => {
    const sums = new Map<Kind, number>();
    return events.map(({ statusCode, amounts }) => {
      const kind = getKind(statusCode, invoice);
      if (kind === undefined) return {};
      const sum = sumOf(amounts, invoice.currency);
      const before = sums.get(kind) ?? 0;
      const after = before + sum;
      sums.set(kind, after);
      if (sum * whole < 0) return { name: words.back[kind], tone: "warn" };
      if (Math.abs(after) > Math.abs(whole)) return { name: words.excess[kind] };
      if (sum !== 0 && after !== whole) return { name: words.part[kind], tone: "warn" };
      if (before !== 0 && sum !== 0) return { name: words.rest[kind] };
      return kind === "refunded" ? { name: words.refunded } : {};
    });
  };
}

type Kind = "refunded" | "collected" | "paid";
/** Name of a payment that its status does not state; the tone is that of a list where an amount stays open. */
interface Name {
  readonly name?: string;
  readonly tone?: "warn";
}
type Event = Pick<
  components["schemas"]["Lifecycle"]["events"][number],
  "amounts" | "statusCode"
>;

/** Returns the total of an invoice in cents; negative for a credit note. */
function getWhole(invoice: Fields): number {
  const total = computeTotal(invoice) ?? 0;
  return isCreditNote(invoice.invoiceType) ? -total : total;
}

function getKind(status: string, { invoiceType }: Fields): Kind | undefined {
  if (status === PAYMENT_SENT) return "paid";
  if (status !== COLLECTED) return undefined;
  return isCreditNote(invoiceType) ? "refunded" : "collected";
}

/** Adds up the amounts in the currency of the invoice, in cents. */
function sumOf(amounts: Amounts, currency: string): number {
  const own = amounts.filter((it) => it.currency === currency);
  return own.reduce((all, it) => all + Math.round(Number(it.amount) * 100), 0);
}
