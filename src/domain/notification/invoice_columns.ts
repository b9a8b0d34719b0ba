import { parseDecimal, toFixed } from "#src/kernel/decimal.ts";
import { type FieldName, INVOICE_FIELDS, type KindOf } from "../invoice/fields.ts";

type Kind = "text" | "amount" | "date" | "time";

const KINDS = Object.fromEntries(
  Object.entries(INVOICE_FIELDS).map(([name, { kind }]) => [name, kind]),
) as { readonly [Name in FieldName]: KindOf<Name> };

/** Placeholders of an invoice: its fields, its state, and the columns of its detail record (`log…`). */
export const INVOICE_COLUMNS = {
  ...KINDS,
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
/** Invoice by the names that placeholders use; absent values are empty. */
export type InvoiceValues = Readonly<Partial<Record<InvoiceColumn, string | Date | null>>>;

/** Returns each column as text: amounts with two decimals, dates in ISO form, padding removed, nothing for null. */
export function columnTexts(values: InvoiceValues): Map<string, string> {
  const names = Object.keys(INVOICE_COLUMNS) as InvoiceColumn[];
  return new Map(
    names.map((name) => [name, formatText(values[name] ?? null, INVOICE_COLUMNS[name])]),
  );
}

function formatText(value: string | Date | null, kind: Kind): string {
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

/**
 * Converts an ERP Julian date to `yyyy-MM-dd`. In `126282` the parts are the centuries since 1900, the year and
 * the day of the year; 0 means no date.
 */
function isoDate(text: string): string {
  if (!/^\d{1,6}$/.test(text)) return text.slice(0, 10);
  const number = Number(text);
  if (number === 0) return "";
  const year = 1900 + Math.floor(number / 1000);
  return new Date(Date.UTC(year, 0, number % 1000)).toISOString().slice(0, 10);
}
