import { saveAs } from "../../api/client.ts";
import { language } from "../../i18n/language.ts";
import { type CsvCell, writeCsv } from "./csv_text.ts";

/**
 * Saves rows as a CSV file, with a warning as its last row. The byte order mark makes spreadsheets read it as UTF-8.
 */
export function saveCsv(
  name: string,
  rows: readonly (readonly CsvCell[])[],
  warning?: string,
): void {
  const all = warning === undefined ? rows : [...rows, [warning]];
  const text = `\ufeff${writeCsv(all, language() === "fr")}`;
  saveAs(new Blob([text], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
}
