import type { components } from "../../../api/schema.d.ts";

export type ChartDrawing = components["schemas"]["ChartDrawing"];
export type Chart = components["schemas"]["Chart"];
export type ChartRow = Readonly<Record<string, unknown>>;

/** Returns the tone of the last threshold reached; undefined below the first. */
export function toneAt(
  thresholds: ChartDrawing["thresholds"],
  value: number | null,
): string | undefined {
  if (value === null) return undefined;
  return thresholds.filter(({ from }) => value >= from)
    .toSorted((a, b) => a.from - b.from).at(-1)?.tone;
}

/** Returns the data as rows keyed by column name. */
export function toRows({ data: { columns, rows } }: ChartDrawing): readonly ChartRow[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])));
}

/** Values of the category and series columns at a point. */
export interface Point {
  readonly key?: string | undefined;
  readonly series?: string | undefined;
}

/** Returns the row of a point if it is unique, else only its category and series. */
export function rowAt(chart: Chart, rows: readonly ChartRow[], { key, series }: Point): ChartRow {
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
