import type { components } from "../../../api/schema.d.ts";
import type { Language } from "../../../i18n/language.ts";
import { textOf } from "../cells.tsx";
import type { Row } from "./view.ts";

type GridColumn = components["schemas"]["GridColumn"];

/**
 * What a column comes to on the page that is shown, with the name of the sum; undefined where there is nothing to add up, or
 * amounts of several currencies.
 */
export function totalsOf(
  rows: readonly Row[],
  column: GridColumn,
  { language, name, of }: { language: Language; name: string; of: string },
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
  // Cents do not add up exactly as doubles.
  const rounded = Math.round(value * 1e6) / 1e6;
  return { text: textOf(rounded, column, { language, row: rows[0] ?? {} }), label };
}
