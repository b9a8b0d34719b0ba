import { Text } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import { defineWords, useFormats, useWords } from "../../i18n/language.ts";
import type { components } from "../../api/schema.d.ts";
import type { InvoiceListView } from "./view.ts";

const WORDS = defineWords({
  en: {
    total: "Total with VAT:",
    open: "Outstanding:",
    count: (count: string) => count === "1" ? "1 invoice" : `${count} invoices`,
    withoutSelfBilled: "(without self-billed ones)",
    more: (count: string, sums: string) => `More than ${count} invoices; ${count} of them: ${sums}`,
  },
  fr: {
    total: "Total TTC :",
    open: "Reste dû :",
    count: (count: string) => count === "1" ? "1 facture" : `${count} factures`,
    withoutSelfBilled: "(sans les autofactures)",
    more: (count: string, sums: string) => `Plus de ${count} factures, dont ${count} font ${sums}`,
  },
});

type Totals = components["schemas"]["InvoiceTotals"];

/** Reads the sums of all invoices that match the filters. A list of both sides has no common sum. */
export function useTotals(query: InvoiceListView["filters"], when: boolean): Totals | undefined {
  return useRead("/api/invoices/totals", { query }, { keep: true, when }).data;
}

/** Returns the number of summed invoices, unless there are more. */
export function countAll(data: Totals | undefined): number | undefined {
  if (!data?.totals || data.isCapped) return undefined;
  return data.totals.reduce((all, it) => all + it.count, 0);
}

/** Sum of the invoices by currency; credit notes are negative. */
export function Sums({ data, count: listed }: {
  data: Totals | undefined;
  /** Number of listed invoices, if it is known. The list may have self-billed ones of the other side. */
  count?: number | undefined;
}) {
  const words = useWords(WORDS);
  const { amount, number } = useFormats();
  if (!data?.totals?.length) return null;
  // A document that could not be read has no currency and no amount.
  const known = data.totals.filter((it) => it.currency || Number(it.totalTTC));
  const add = (what: "totalTTC" | "openAmount") =>
    known.map((it) => amount(Number(it[what] ?? 0), it.currency || "EUR")).join(" + ");
  const sums = add("totalTTC");
  const open = known.some((it) => it.openAmount !== undefined) ? add("openAmount") : sums;
  const count = data.totals.reduce((all, it) => all + it.count, 0);
  return (
    <Text size="sm" className="ps-number" style={{ whiteSpace: "normal" }} aria-live="polite">
      {data.isCapped ? words.more(number(count), sums) : (
        <>
          {sums && (
            <>
              {words.total} <b>{sums}</b> · {open !== sums && (
                <>
                  {words.open} <b>{open}</b> ·{" "}
                </>
              )}
            </>
          )}
          {words.count(number(count))}
          {listed !== undefined && listed > count && ` ${words.withoutSelfBilled}`}
        </>
      )}
    </Text>
  );
}
