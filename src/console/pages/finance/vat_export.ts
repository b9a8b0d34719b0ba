import type { components } from "../../api/schema.d.ts";
import type { CsvCell } from "./csv_text.ts";
import type { PeriodVat } from "./report.ts";
import type { FINANCE } from "./words.ts";

type Side = components["schemas"]["VatSide"];
type Words = typeof FINANCE.en;

/** Returns the figures of the page as rows: by month, side, treatment, category and rate, then those that do not count. */
export function writeVatRows(report: PeriodVat, words: Words): CsvCell[][] {
  const head = [
    words.month,
    words.side,
    words.treatment,
    words.category,
    words.rate,
    words.currency,
    words.invoices,
    words.base,
    words.vatAmount,
    words.onReceipt,
    words.statedVat,
    words.total,
  ];
  const counted = report.months.flatMap(({ month, sales, purchases }) => [
    ...writeSide(sales, { month, name: words.sales, report, words }),
    ...writeSide(purchases, { month, name: words.purchases, report, words }),
  ]);
  const uncounted = report.uncounted.map((it): CsvCell[] => [
    "",
    it.role === "seller" ? words.sales : words.purchases,
    `${words.uncounted} (${it.statusLabel})`,
    "",
    "",
    it.currency,
    it.invoices,
    { amount: it.base },
    { amount: it.vat },
    "",
    "",
    words.apart,
  ]);
  return [head, ...counted, ...uncounted];
}

function writeSide(
  side: Side,
  { month, name, report, words }: {
    readonly month: string;
    readonly name: string;
    readonly report: PeriodVat;
    readonly words: Words;
  },
): CsvCell[][] {
  const categories: Readonly<Record<string, string>> = words.categories;
  const lines = side.lines.map((it): CsvCell[] => [
    month,
    name,
    words.treatments[it.treatment],
    categories[it.category] ?? it.category,
    { amount: it.rate },
    report.currency,
    it.invoices,
    { amount: it.base },
    { amount: it.vat },
    { amount: it.vatOnReceipt },
    "",
    it.isInTotal ? words.total : words.apart,
  ]);
  const foreign = side.foreign.map((it): CsvCell[] => [
    month,
    name,
    words.treatments[it.treatment],
    "",
    "",
    it.currency,
    it.invoices,
    { amount: it.base },
    { amount: it.vat },
    "",
    { amount: it.statedVat },
    it.isInTotal && it.statedInvoices > 0 ? words.statedVat : words.apart,
  ]);
  return [...lines, ...foreign];
}
