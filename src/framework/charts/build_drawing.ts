import type { ChartDefinition } from "#src/definitions/charts.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Drawing } from "#src/ports/chart_painter.ts";
import {
  aggregateRows,
  type Along,
  buildAxis,
  type Cell,
  type ShownChannel,
  toNumber,
} from "./gather.ts";
import type { ChartData } from "./read_chart.ts";

/** Columns by channel of the drawing. */
export type Encoded = { readonly [name in ChannelName]?: ShownChannel | undefined };

type ChannelName = "x" | "y" | "color" | "size" | "value" | "compare";

/** Chart as its reader sees it. */
export interface ChartSource {
  readonly shown: {
    readonly label: string;
    readonly type: ChartDefinition["type"];
    readonly encoding: Encoded;
  };
  readonly data: ChartData;
  /** Labels of a column's codes. */
  readonly labels: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly language: Language;
}

/** Size limits of a readable picture. */
const MAX = { categories: 400, slices: 24, series: 20, lines: 40 };
export const MAX_COLUMNS = 12;

/** `left`: how many categories, series or lines found no room. */
export function buildDrawing(drawn: ChartSource): { drawing: Drawing; left: number } {
  const { type } = drawn.shown;
  switch (type) {
    case "kpi":
    case "gauge":
      return { drawing: getFigure(drawn, type), left: 0 };
    case "table":
      return getTable(drawn);
    case "scatter":
      return getScatter(drawn);
    case "heatmap":
      return drawHeatmap(drawn);
    default:
      return getSeries(drawn, type);
  }
}

function findColumn({ data }: ChartSource, channel: ShownChannel | undefined): number {
  return channel === undefined ? -1 : data.columns.findIndex(({ name }) => name === channel.field);
}

/** A pie names its parts by colour as often as by x. */
function getSeries(
  drawn: ChartSource,
  kind: "bar" | "line" | "area" | "pie" | "donut" | "funnel",
): { drawing: Drawing; left: number } {
  const { encoding } = drawn.shown;
  const isRound = kind === "pie" || kind === "donut" || kind === "funnel";
  const x = encoding.x ?? (isRound ? encoding.color : undefined);
  const y = encoding.y ?? encoding.value;
  const color = x === encoding.color ? undefined : encoding.color;
  const along = findAxis(drawn, x);
  const split = findAxis(drawn, color);
  const cells = getCells(drawn, { along, split, value: y });
  const categories = along.places(cells.map(({ x }) => x), cells);
  const series = split.places(cells.map(({ y }) => y), cells);
  const [shownCategories, shownSeries] = [
    categories.slice(0, isRound ? MAX.slices : MAX.categories),
    series.slice(0, MAX.series),
  ];
  const value = aggregateRows(cells, y?.aggregate);
  return {
    drawing: {
      kind,
      categories: shownCategories.map((it) => along.label(it)),
      keys: shownCategories,
      series: shownSeries.map((it) => ({
        key: color === undefined ? undefined : it,
        name: color === undefined ? y?.title ?? drawn.shown.label : split.label(it),
        values: shownCategories.map((category) => value(category, it)),
      })),
    },
    left: categories.length - shownCategories.length + series.length - shownSeries.length,
  };
}

function findAxis(drawn: ChartSource, channel: ShownChannel | undefined): Along {
  const type = drawn.data.columns[findColumn(drawn, channel)]?.type;
  const labels = channel && drawn.labels.get(channel.field);
  return buildAxis(channel, { type, labels, language: drawn.language });
}

function getCells(
  drawn: ChartSource,
  { along, split, value }: { along: Along; split: Along; value: ShownChannel | undefined },
): Cell[] {
  const at = findColumn(drawn, value);
  const [xAt, yAt] = [along, split].map(({ channel }) => findColumn(drawn, channel));
  return drawn.data.rows.map((row) => ({
    x: along.key(row[xAt ?? -1]),
    y: split.key(row[yAt ?? -1]),
    value: toNumber(row[at]),
  }));
}

function getScatter(drawn: ChartSource): { drawing: Drawing; left: number } {
  const { x, y, color, size } = drawn.shown.encoding;
  const along = findAxis(drawn, x);
  const split = findAxis(drawn, color);
  const [xAt, yAt, sizeAt] = [x, y, size].map((it) => findColumn(drawn, it));
  const { rows } = drawn.data;
  const isNumeric = rows.every((row) => toNumber(row[xAt ?? -1]) !== null);
  const keys = isNumeric ? [] : along.places(rows.map((row) => along.key(row[xAt ?? -1])), []);
  const names = split.places(rows.map((row) => split.key(row[findColumn(drawn, color)])), []);
  const shown = names.slice(0, MAX.series);
  const series = shown.map((name) => ({
    name: color === undefined ? y?.title ?? drawn.shown.label : split.label(name),
    dots: rows.filter((row) => split.key(row[findColumn(drawn, color)]) === name).flatMap((row) => {
      const across = isNumeric ? toNumber(row[xAt ?? -1]) : keys.indexOf(along.key(row[xAt ?? -1]));
      const up = toNumber(row[yAt ?? -1]);
      if (across === null || up === null) return [];
      return [[across, up, toNumber(row[sizeAt ?? -1])] as const];
    }),
  }));
  const categories = isNumeric ? undefined : keys.map((it) => along.label(it));
  return {
    drawing: { kind: "scatter", categories, series },
    left: names.length - shown.length,
  };
}

/** Draws a heatmap. The intensity comes from the value channel, else from the colour channel. */
function drawHeatmap(drawn: ChartSource): { drawing: Drawing; left: number } {
  const { x, y, value, color } = drawn.shown.encoding;
  const amount = value ?? color;
  const along = findAxis(drawn, x);
  const up = findAxis(drawn, y);
  const cells = getCells(drawn, { along, split: up, value: amount });
  const columns = along.places(cells.map((it) => it.x), cells);
  const rows = up.places(cells.map((it) => it.y), cells);
  const [shownColumns, shownRows] = [
    columns.slice(0, MAX.categories / 4),
    rows.slice(0, MAX.lines),
  ];
  const sum = aggregateRows(cells, amount?.aggregate);
  const filled = shownRows.flatMap((row, at) =>
    shownColumns.flatMap((column, across) => {
      const found = sum(column, row);
      return found === null ? [] : [[across, at, found] as const];
    })
  );
  return {
    drawing: {
      kind: "heatmap",
      categories: shownColumns.map((it) => along.label(it)),
      rows: shownRows.map((it) => up.label(it)),
      cells: filled,
    },
    left: columns.length - shownColumns.length + rows.length - shownRows.length,
  };
}

/** One number: of the only row, or of all by its aggregate. */
function getFigure(drawn: ChartSource, kind: "kpi" | "gauge"): Drawing {
  const { value, compare, y } = drawn.shown.encoding;
  const figure = value ?? y;
  const of = (channel: ShownChannel | undefined) => {
    const at = findColumn(drawn, channel);
    const cells = drawn.data.rows.map((row) => ({ x: "", y: "", value: toNumber(row[at]) }));
    return aggregateRows(cells, channel?.aggregate)("", "");
  };
  return {
    kind,
    value: of(figure),
    before: compare === undefined ? undefined : of(compare),
    isLessBetter: (compare ?? figure)?.direction === "down_is_good",
  };
}

/** The columns that are drawn, else all there are. */
function getTable(drawn: ChartSource): { drawing: Drawing; left: number } {
  const { data, shown } = drawn;
  const channels = Object.values(shown.encoding)
    .filter((it) => it !== undefined && "field" in it);
  const wanted = channels.length
    ? channels.map((it) => ({ channel: it, at: findColumn(drawn, it) })).filter(({ at }) => at >= 0)
    : data.columns.map(({ name, label }, at) => ({ channel: { field: name, title: label }, at }));
  const columns = wanted.slice(0, MAX_COLUMNS);
  const rows = data.rows.slice(0, MAX.lines);
  const alongs = columns.map(({ channel }) => findAxis(drawn, channel));
  return {
    drawing: {
      kind: "table",
      columns: columns.map(({ channel, at }) => ({
        label: channel.title,
        isNumber: NUMBERS.has(data.columns[at]?.type ?? "") && !drawn.labels.has(channel.field),
      })),
      rows: rows.map((row) =>
        columns.map(({ at }, column) => {
          const along = alongs[column];
          return along ? along.label(along.key(row[at])) : "";
        })
      ),
    },
    left: data.rows.length - rows.length + wanted.length - columns.length,
  };
}

const NUMBERS = new Set(["integer", "number", "decimal"]);
