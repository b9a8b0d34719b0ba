import type { components } from "../../api/schema.d.ts";

/**
 * What the invoice asks for at a rate of VAT, VAT included, in cents, and how much of it the PA was told to be paid, or is about to
 * be.
 */
export interface Due {
  readonly rate: string;
  /** Negative where the invoice takes back. */
  readonly gross: number;
  readonly reported: number;
}

/** Which payments are meant: those told by this status, in the invoice's currency. */
export interface Payments {
  readonly status: string;
  readonly currency: string;
}

type Vat = Pick<
  components["schemas"]["InvoiceVat"]["vat"][number],
  "taxRate" | "taxableAmount" | "taxAmount"
>;
type Message = Pick<
  components["schemas"]["StatusMessages"]["messages"][number],
  "status" | "state" | "amounts"
>;

/** By rate. */
export function dueOf(
  vat: readonly Vat[],
  messages: readonly Message[],
  { status, currency }: Payments,
): Due[] {
  const gross = new Map<string, number>();
  for (const { taxRate, taxableAmount, taxAmount } of vat) {
    const rate = String(taxRate ?? 0);
    add(gross, rate, (taxableAmount ?? 0) + (taxAmount ?? 0));
  }
  const reported = new Map<string, number>();
  for (const message of messages) {
    if (message.status !== status || message.state === "refused") continue;
    for (const it of message.amounts) {
      // VAT may be accounted for in another currency, and paid in it: that is no part of this sum.
      if (it.currency === currency) add(reported, String(Number(it.rate)), Number(it.amount));
    }
  }
  return [...gross].map(([rate, of]) => ({ rate, gross: of, reported: reported.get(rate) ?? 0 }));
}

function add(sums: Map<string, number>, rate: string, amount: number): void {
  sums.set(rate, (sums.get(rate) ?? 0) + Math.round(amount * 100));
}

/** What is left to pay, or to be given back: the amount most payments have. */
export function leftOf({ gross, reported }: Due): string {
  const left = gross < 0 ? Math.min(gross - reported, 0) : Math.max(gross - reported, 0);
  return (left / 100).toFixed(2);
}

/** More than the invoice asks for, or takes back. */
export function isTooMuch(sum: number, { gross }: Due): boolean {
  return gross < 0 ? sum < gross || sum > 0 : sum > gross;
}
