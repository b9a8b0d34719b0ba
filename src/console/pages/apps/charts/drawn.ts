import type { components } from "../../../api/schema.d.ts";

export type ChartDrawing = components["schemas"]["ChartDrawing"];
export type Chart = components["schemas"]["Chart"];
export type Row = Readonly<Record<string, unknown>>;

/** Of the last threshold the value has reached; undefined below the first. */
export function toneAt(
  thresholds: ChartDrawing["thresholds"],
  value: number | null,
): string | undefined {
  if (value === null) return undefined;
  return thresholds.filter(({ from }) => value >= from)
    .toSorted((a, b) => a.from - b.from).at(-1)?.tone;
}

/** Rows of the data by the names of their columns. */
export function rowsOf({ data: { columns, rows } }: ChartDrawing): readonly Row[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])));
}

/** What a point stands for: the columns it is drawn by. */
export interface Point {
  readonly key?: string | undefined;
  readonly series?: string | undefined;
}

/** The one row a point is drawn from, else its place alone. */
export function rowAt(chart: Chart, rows: readonly Row[], { key, series }: Point): Row {
  const { x, color } = chart.encoding;
  const named = x ?? color;
  const places: [string, string][] = [
    ...named && key !== undefined ? [[named.field, key] as [string, string]] : [],
    ...color && color !== named && series !== undefined
      ? [[color.field, series] as [string, string]]
      : [],
  ];
  const found = rows.filter((row) =>
    places.every(([field, value]) => {
      const own = String(row[field] ?? "");
      return own === value || own.slice(0, value.length) === value && value.length >= 10;
    })
  );
  const place = Object.fromEntries(places);
  return found.length === 1 ? { ...found[0], ...place } : place;
}
