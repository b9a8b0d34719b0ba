import { saveAs } from "../../api/client.ts";
import { language } from "../../i18n/language.ts";
import { type CsvCell, writeCsv } from "./csv_text.ts";

/** Saves rows as a CSV file. The byte order mark makes spreadsheets read it as UTF-8. */
export function saveCsv(name: string, rows: readonly (readonly CsvCell[])[]): void {
  const text = `\ufeff${writeCsv(rows, language() === "fr")}`;
  saveAs(new Blob([text], { type: "text/csv;charset=utf-8" }), `${name}.csv`);
}
