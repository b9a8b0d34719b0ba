import type { components } from "../../api/schema.d.ts";
import { useFormats } from "../../i18n/language.ts";

/** Returns a function that writes amounts, one for each currency. It leaves out a zero of invoices without a currency. */
export function useAmounts(): (amounts: readonly components["schemas"]["HomeAmount"][]) => string {
  const { amount } = useFormats();
  return (amounts) =>
    amounts.filter((it) => it.currency || Number(it.amount)).map((it) =>
      amount(Number(it.amount), it.currency)
    ).join(" · ");
}
