import { Text } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import type { InvoiceListView } from "./view.ts";

const WORDS = defineWords({
  en: {
    total: "Total with VAT:",
    more: (count: string, sums: string) => `More than ${count} invoices; ${count} of them: ${sums}`,
  },
  fr: {
    total: "Total TTC :",
    more: (count: string, sums: string) => `Plus de ${count} factures, dont ${count} font ${sums}`,
  },
});

/** Sum of all invoices that match the filters, by currency; credit notes are negative. */
export function Sums({ query }: { query: InvoiceListView["filters"] }) {
  const words = useWords(WORDS);
  const { amount, number } = useFormats();
  const { data } = useRead("/api/invoices/totals", { query }, { keep: true });
  if (!data?.totals?.length) return null;
  const sums = data.totals.map((it) => amount(Number(it.totalTTC), it.currency || "EUR"))
    .join(" + ");
  const count = data.totals.reduce((all, it) => all + it.count, 0);
  return (
    <Text size="sm" ta="right" className="ps-number" aria-live="polite">
      {data.isCapped ? words.more(number(count), sums) : (
        <>
          {words.total} <b>{sums}</b>
        </>
      )}
    </Text>
  );
}
