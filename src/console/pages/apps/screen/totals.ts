import type { components } from "../../../api/schema.d.ts";
import type { ConsoleLanguage } from "../../../i18n/language.ts";
import { formatCell } from "../cells.tsx";
import type { ScreenRow } from "./view.ts";

type GridColumn = components["schemas"]["GridColumn"];

/**
 * Returns the total of a column on the current page with its label; undefined if it has no values or several
 * currencies.
 */
export function formatTotals(
  rows: readonly ScreenRow[],
  column: GridColumn,
  { language, name, of }: { language: ConsoleLanguage; name: string; of: string },
): { readonly text: string; readonly label: string } | undefined {
  const { field, total, format = {} } = column;
  const label = `${name} ${of}`;
  if (total === "count") {
    const count = rows.filter((row) => row[field] !== null && row[field] !== undefined).length;
    return { text: String(count), label };
  }
  const currency = format["currency_field"];
  if (currency !== undefined && new Set(rows.map((row) => row[String(currency)])).size > 1) {
    return undefined;
  }
  const values = rows.map((row) => row[field]).filter((it) => it !== null && it !== undefined)
    .map(Number).filter(Number.isFinite);
  if (values.length === 0) return undefined;
  const sum = values.reduce((all, it) => all + it, 0);
  const value = {
    sum,
    avg: sum / values.length,
    min: Math.min(...values),
    max: Math.max(...values),
  }[total ?? "sum"];
  // Sums of doubles are inexact, so the result is rounded.
  const rounded = Math.round(value * 1e6) / 1e6;
  return { text: formatCell(rounded, column, { language, row: rows[0] ?? {} }), label };
}
