import { Buffer } from "node:buffer";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { parseExact } from "#src/kernel/exact_json.ts";
import type { Column, PoolRow } from "#src/ports/pool.ts";

export interface WireRows {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly metadata: readonly Column[];
}

/** Rows as they go over the wire: exact numbers and moments as text, bytes in Base64; columns that are hidden are not there. */
export function toWireRows(
  { columns, rows }: { columns: readonly Column[]; rows: readonly PoolRow[] },
  { columns: wanted = {} }: Pick<QueryDefinition, "columns">,
): WireRows {
  const shown = columns.map((column, at) => {
    const own = Object.hasOwn(wanted, column.name) ? wanted[column.name] : undefined;
    const type = own?.type ?? column.type;
    return { at, name: column.name, type, hidden: own?.hidden ?? false, wire: WIRE[type] };
  }).filter((it) => !it.hidden);
  const items = rows.map((row) => {
    const item: Record<string, unknown> = {};
    for (const { at, name, wire } of shown) {
      const value = row[at] ?? null;
      item[name] = value === null || !wire ? value : wire(value);
    }
    return item;
  });
  return { items, metadata: shown.map(({ name, type }) => ({ name, type })) };
}

/**
 * Conversions by type; values of other types are sent unchanged. A value that does not fit its type is unchanged too.
 */
const WIRE: Readonly<Record<string, (value: unknown) => unknown>> = {
  decimal: String,
  string: (value) => typeof value === "number" ? String(value) : value,
  boolean: (value) =>
    value === 1 || value === "1" ? true : value === 0 || value === "0" ? false : value,
  date: (value) => typeof value === "string" ? value.slice(0, 10) : value,
  datetime: moment,
  binary: (value) => value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value,
  json: (value) => typeof value === "string" ? parse(value) : value,
  "array<datetime>": (value) => Array.isArray(value) ? value.map(moment) : value,
};

/** RFC 3339: `2026-01-31 12:00:00+00` is `2026-01-31T12:00:00+00:00`. */
function moment(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value.replace(/^(\d{4}-\d\d-\d\d) /, "$1T").replace(/([+-]\d\d)$/, "$1:00");
}

function parse(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}
