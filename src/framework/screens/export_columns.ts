import type { GridColumn } from "#src/definitions/screens.ts";
import { lookupLabels, type LookupReader } from "#src/framework/dictionary/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { CellKind, SheetColumn, SheetValue } from "#src/ports/spreadsheet.ts";
import { type Around, shownField } from "./around.ts";

/** A column of the sheet, and how a value of its field stands in it. */
export interface ExportColumn extends SheetColumn {
  readonly field: string;
  valueOf(value: unknown): SheetValue;
}

/**
 * Returns the grid's columns by field name: the requested ones, else those of the screen. Throws AppError `invalid` for
 * unknown columns.
 */
export function exportedColumns(
  { found: { definition } }: Around,
  asked: readonly string[] | undefined,
): readonly GridColumn[] {
  const { grid: { columns }, export: { columns: which = "visible" } = {} } = definition;
  if (!asked) return columns.filter(({ hidden }) => which === "all" || !hidden);
  return asked.map((field) => {
    const column = columns.find((it) => it.field === field);
    if (column) return column;
    const meant = nearest(field, columns.map((it) => it.field));
    const name = field.slice(0, 100);
    throw new AppError(
      "invalid",
      meant === undefined
        ? say`columns: the screen has no column ${name}`
        : say`columns: the screen has no column ${name}; did you mean ${meant}?`,
    );
  });
}

/**
 * Adds the field with the currency after the last amount in it, also where the screen hides this field: the sheet shows
 * an amount without its currency.
 */
export function addCurrencies(
  around: Around,
  exported: readonly GridColumn[],
): readonly GridColumn[] {
  const { found: { definition: { grid } }, columns = [] } = around;
  const getCurrency = ({ field, format }: GridColumn) =>
    (format ?? shownField(around, field).format)?.["currency_field"];
  const missing = new Set(exported.map(getCurrency));
  for (const { field } of exported) missing.delete(field);
  const result = [...exported];
  for (const { name } of columns.filter(({ name }) => missing.has(name))) {
    const after = result.findLastIndex((it) => getCurrency(it) === name);
    const column = grid.columns.find(({ field }) => field === name) ?? { field: name };
    result.splice(after + 1, 0, column);
  }
  return result;
}

const KINDS: Readonly<Record<string, CellKind>> = {
  integer: "number",
  number: "number",
  decimal: "number",
  date: "date",
  datetime: "datetime",
  boolean: "boolean",
};

/** Returns a column of a sheet: its title, its cell type, and labels instead of codes. */
export async function exportColumn(
  around: Around,
  { field, label, format, width }: GridColumn,
  reader: LookupReader,
): Promise<ExportColumn> {
  const known = shownField(around, field);
  const labels = known.lookup === undefined
    ? undefined
    : await lookupLabels(around.found.snapshot, known.lookup, reader);
  const kind = labels ? "text" : KINDS[known.type ?? ""] ?? "text";
  const { language } = around.localiser;
  const pixels = width ?? (known.width === "auto" ? undefined : known.width);
  return {
    field,
    title: around.localiser.text(label) ?? known.label,
    kind,
    format: getFormat(kind, format ?? known.format ?? {}, { language, type: known.type }),
    width: pixels === undefined ? WIDTHS[kind] : Math.max(4, Math.round(pixels / 7)),
    valueOf: (value) => {
      const shown = labels?.get(String(value)) ?? value;
      return typeof shown === "object" && shown !== null
        ? JSON.stringify(shown)
        : shown as SheetValue;
    },
  };
}

const WIDTHS: Readonly<Record<CellKind, number>> = {
  text: 24,
  number: 14,
  date: 12,
  datetime: 20,
  boolean: 8,
};

type Format = Readonly<Record<string, string | number | boolean>>;

/** Options of `Intl` as Excel's format. */
function getFormat(
  kind: CellKind,
  { style, currency, fraction_digits, minimum_fraction_digits, maximum_fraction_digits }: Format,
  { language, type }: { language: string; type: string | undefined },
): string | undefined {
  const day = language === "fr" ? "dd/mm/yyyy" : "yyyy-mm-dd";
  if (kind === "date") return day;
  if (kind === "datetime") return `${day} hh:mm:ss`;
  if (kind !== "number") return undefined;
  const least = Number(
    fraction_digits ?? minimum_fraction_digits ?? (style === "currency" ? 2 : 0),
  );
  const most = Number(
    fraction_digits ?? maximum_fraction_digits ?? Math.max(least, type === "integer" ? 0 : 6),
  );
  const fraction = "0".repeat(clampDigits(least)) +
    "#".repeat(Math.max(0, clampDigits(most) - clampDigits(least)));
  const grouped = type === "integer" && style === undefined ? "0" : "#,##0";
  const number = fraction ? `${grouped}.${fraction}` : grouped;
  if (style === "percent") return `${number}%`;
  return style === "currency" && typeof currency === "string"
    ? `${number}\\ "${currency.replaceAll('"', "")}"`
    : number;
}

function clampDigits(digits: number): number {
  return Math.min(10, Math.max(0, Math.trunc(digits) || 0));
}
