import { parseDecimal, toFixed } from "#src/kernel/decimal.ts";

type Kind = "text" | "amount" | "date" | "time";

/** The columns of the invoice list: the header's, and those of its detail record (`log…`). */
export const INVOICE_COLUMNS = {
  fedoc: "text",
  fedct: "text",
  kco: "text",
  ublNumber: "text",
  issueDate: "date",
  dueDate: "date",
  invoiceType: "text",
  processType: "text",
  totalHT: "amount",
  totalTTC: "amount",
  amountDue: "amount",
  totalVat: "amount",
  currency: "text",
  customerRef: "text",
  customerName: "text",
  supplierRef: "text",
  supplierSiren: "text",
  supplierName: "text",
  orderRef: "text",
  contractRef: "text",
  direction: "text",
  status: "text",
  template: "text",
  jobNumber: "text",
  createdAt: "time",
  logBusinessUnit: "text",
  logPaUuid: "text",
  logStatusAt: "time",
} as const satisfies Record<string, Kind>;

type InvoiceColumn = keyof typeof INVOICE_COLUMNS;
/** An invoice by the names placeholders know; what is absent is empty. */
export type InvoiceValues = Readonly<Partial<Record<InvoiceColumn, string | Date | null>>>;

/** Each column as text: amounts with two decimals, dates in ISO form, padding removed, nothing for null. */
export function columnTexts(values: InvoiceValues): Map<string, string> {
  const names = Object.keys(INVOICE_COLUMNS) as InvoiceColumn[];
  return new Map(names.map((name) => [name, textOf(values[name] ?? null, INVOICE_COLUMNS[name])]));
}

function textOf(value: string | Date | null, kind: Kind): string {
  if (value === null) return "";
  if (value instanceof Date) return value.toISOString().slice(0, kind === "date" ? 10 : 19);
  const text = value.trim();
  if (kind === "amount") return amount(text);
  return kind === "date" ? isoDate(text) : text;
}

function amount(text: string): string {
  const value = parseDecimal(text);
  return value === undefined ? text : toFixed(value, 2);
}

/** An ERP Julian date (`126282`: century since 1900, year, day of the year; 0 is none) as `yyyy-MM-dd`. */
function isoDate(text: string): string {
  if (!/^\d{1,6}$/.test(text)) return text.slice(0, 10);
  const number = Number(text);
  if (number === 0) return "";
  const year = 1900 + Math.floor(number / 1000);
  return new Date(Date.UTC(year, 0, number % 1000)).toISOString().slice(0, 10);
}
