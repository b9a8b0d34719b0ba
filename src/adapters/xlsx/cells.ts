import type { CellKind, SheetValue } from "#src/ports/spreadsheet.ts";

/** Maximum length of a text in Excel. */
const MAX_LENGTH = 32_767;
/** More digits than a double holds would be other digits. */
const DIGITS = 15;
const DAY_MS = 86_400_000;
/** Excel's day 0; before 1 March 1900 its calendar has a day that never was. */
const EPOCH = Date.UTC(1899, 11, 30);
const FIRST = Date.UTC(1900, 2, 1);

/** `A`, `Z`, `AA`. */
export function columnName(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest ? columnName(rest - 1) : "") + String.fromCharCode(65 + index % 26);
}

/** One cell as SpreadsheetML (ECMA-376, 18.3.1.4). Text is an inline string whatever it begins with, never a formula. */
export function cellXml(
  place: string,
  value: SheetValue,
  { kind, style, zone }: { kind: CellKind; style: number; zone: string },
): string {
  if (value === null || value === "") return "";
  const number = kind === "number" ? findNumber(value) : findSerial(kind, value, zone);
  if (number !== undefined) return `<c r="${place}" s="${style}"><v>${number}</v></c>`;
  if (kind === "boolean" && typeof value === "boolean") {
    return `<c r="${place}" t="b"><v>${value ? 1 : 0}</v></c>`;
  }
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${
    textXml(String(value))
  }</t></is></c>`;
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Returns a number as written if a double can represent it. */
function findNumber(value: SheetValue): string | undefined {
  const text = String(value);
  if (typeof value === "number") return Number.isFinite(value) ? text : undefined;
  if (typeof value !== "string" || !NUMBER.test(text)) return undefined;
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "");
  const exact = text.includes(".") ? digits.replace(/0+$/, "") : digits;
  return exact.length <= DIGITS ? text : undefined;
}

function findSerial(kind: CellKind, value: SheetValue, zone: string): number | undefined {
  if (typeof value !== "string" || kind !== "date" && kind !== "datetime") return undefined;
  const at = kind === "date" ? Date.parse(`${value}T00:00:00Z`) : wallClock(value, zone);
  return at >= FIRST ? (at - EPOCH) / DAY_MS : undefined;
}

/** Returns the local time of the zone as if it were UTC; a moment without a zone stays unchanged. */
function wallClock(text: string, zone: string): number {
  if (!/(Z|[+-]\d\d:?\d\d)$/.test(text)) return Date.parse(`${text}Z`);
  const at = Date.parse(text);
  return Number.isNaN(at) ? at : at + offsetAt(at, zone);
}

const HOUR_MS = 3_600_000;
const offsets = new Map<string, number>();

/** Returns the offset of a zone from UTC; it changes on the hour, so it is cached for each hour. */
function offsetAt(at: number, zone: string): number {
  const hour = Math.floor(at / HOUR_MS) * HOUR_MS;
  const key = `${zone} ${hour}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  if (offsets.size > 10_000) offsets.clear();
  const text = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  }).format(hour);
  const offset = Date.parse(`${text.replace(" ", "T")}Z`) - hour;
  offsets.set(key, offset);
  return offset;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
/** Characters that XML 1.0 forbids, and texts that a reader would take for the escape of such a character. */
// deno-lint-ignore no-control-regex -- these are what is looked for
const UNFIT = /[\u0000-\u0008\u000b\u000c\r\u000e-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g;

/** Excel's own escape of characters XML has no place for: `_x0007_`. */
export function textXml(text: string): string {
  const cut = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
  return cut.toWellFormed().replace(/[&<>"]/g, (it) => ESCAPES[it] ?? it).replace(
    UNFIT,
    (it) => `_x${it.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
  );
}
