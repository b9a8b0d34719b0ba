import { useRead } from "../../api/queries.ts";

/**
 * What the invoice asks for at a rate of VAT, VAT included, in cents, and how much of it the PA was told to be paid, or is about to
 * be.
 */
export interface Due {
  readonly rate: string;
  readonly gross: number;
  readonly told: number;
}

/** By rate, once all of it is known; `status`: the one payments of this kind are told by. */
export function useDue(id: string, status: string, when: boolean) {
  const vat = useRead("/api/invoices/{id}/vat", { path: { id } }, { when });
  const past = useRead("/api/invoices/{id}/status-messages", { path: { id } }, { when });
  const problem = vat.error ?? past.error;
  if (!vat.data || !past.data) return { due: undefined, problem };
  const gross = new Map<string, number>();
  for (const { taxRate, taxableAmount, taxAmount } of vat.data.vat) {
    const rate = String(taxRate ?? 0);
    add(gross, rate, (taxableAmount ?? 0) + (taxAmount ?? 0));
  }
  const told = new Map<string, number>();
  for (const message of past.data.messages) {
    if (message.status !== status || message.state === "refused") continue;
    for (const { rate, amount } of message.amounts) add(told, String(Number(rate)), Number(amount));
  }
  const due = [...gross].map(([rate, of]): Due => ({ rate, gross: of, told: told.get(rate) ?? 0 }));
  return { due, problem };
}

function add(sums: Map<string, number>, rate: string, amount: number): void {
  sums.set(rate, (sums.get(rate) ?? 0) + Math.round(amount * 100));
}

/** What is left to pay: the amount most payments have. */
export function leftOf({ gross, told }: Due): string {
  return (Math.max(gross - told, 0) / 100).toFixed(2);
}
