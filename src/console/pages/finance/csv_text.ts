/** Cells of a row: texts, and amounts or counts as decimal texts or numbers. */
export type CsvCell = string | number | { readonly amount: string };

/** Beginnings that a spreadsheet reads as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Writes rows as CSV for the reader's spreadsheet: semicolons and decimal commas in French. */
export function writeCsv(rows: readonly (readonly CsvCell[])[], isFrench: boolean): string {
  const separator = isFrench ? ";" : ",";
  const write = (cell: CsvCell): string => {
    if (typeof cell === "number") return String(cell);
    if (typeof cell === "object") return isFrench ? cell.amount.replace(".", ",") : cell.amount;
    const text = FORMULA.test(cell) ? `'${cell}` : cell;
    return /[";,\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(write).join(separator)).join("\r\n") + "\r\n";
}
