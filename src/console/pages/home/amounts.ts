import type { components } from "../../api/schema.d.ts";
import { useFormats } from "../../i18n/language.ts";

/** Returns a function that writes amounts, one for each currency. */
export function useAmounts(): (amounts: readonly components["schemas"]["HomeAmount"][]) => string {
  const { amount } = useFormats();
  return (amounts) => amounts.map((it) => amount(Number(it.amount), it.currency)).join(" · ");
}
