/** Marks the text as UTF-8 for spreadsheets. */
export const CSV_START = "\uFEFF";

/** Writes cells as a line of CSV by RFC 4180. French spreadsheets separate cells by `;`, as commas begin decimals. */
export function writeCsvLine(cells: readonly string[], separator: "," | ";" = ","): string {
  return `${cells.map(writeCell).join(separator)}\r\n`;
}

/** Marks cells that a spreadsheet would run as a formula as text, even where it splits cells at `;` or tabs. */
function writeCell(text: string): string {
  const isFormula = /^[=+@\t\r]|^-(?!\d+([.,]\d+)?$)|[;\t]\s*[=+@-]/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
