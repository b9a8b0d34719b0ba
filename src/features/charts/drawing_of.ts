import type { ChartDefinition } from "#src/definitions/charts.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Drawing } from "#src/ports/chart_painter.ts";
import { type Along, alongOf, type Cell, gathered, numberOf, type ShownChannel } from "./gather.ts";
import type { ChartData } from "./read_chart.ts";

/** What is drawn by which column. */
export type Encoded = { readonly [name in ChannelName]?: ShownChannel | undefined };

type ChannelName = "x" | "y" | "color" | "size" | "value" | "compare";

/** A chart as its reader sees it, and what it shows. */
export interface Drawn {
  readonly shown: {
    readonly label: string;
    readonly type: ChartDefinition["type"];
    readonly encoding: Encoded;
  };
  readonly data: ChartData;
  /** What the codes of a column mean. */
  readonly labels: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly language: Language;
}

/** What has room in a picture. */
const MOST = { categories: 400, slices: 24, series: 20, lines: 40 };
export const MOST_COLUMNS = 12;

/** `left`: how many categories, series or lines found no room. */
export function drawingOf(drawn: Drawn): { drawing: Drawing; left: number } {
  const { type } = drawn.shown;
  switch (type) {
    case "kpi":
    case "gauge":
      return { drawing: figureOf(drawn, type), left: 0 };
    case "table":
      return tableOf(drawn);
    case "scatter":
      return scatterOf(drawn);
    case "heatmap":
      return heatmapOf(drawn);
    default:
      return seriesOf(drawn, type);
  }
}

function columnOf({ data }: Drawn, channel: ShownChannel | undefined): number {
  return channel === undefined ? -1 : data.columns.findIndex(({ name }) => name === channel.field);
}

/** A pie names its parts by colour as often as by x. */
function seriesOf(
  drawn: Drawn,
  kind: "bar" | "line" | "area" | "pie" | "donut" | "funnel",
): { drawing: Drawing; left: number } {
  const { encoding } = drawn.shown;
  const isRound = kind === "pie" || kind === "donut" || kind === "funnel";
  const x = encoding.x ?? (isRound ? encoding.color : undefined);
  const y = encoding.y ?? encoding.value;
  const color = x === encoding.color ? undefined : encoding.color;
  const along = axisOf(drawn, x);
  const split = axisOf(drawn, color);
  const cells = cellsOf(drawn, { along, split, value: y });
  const categories = along.places(cells.map(({ x }) => x), cells);
  const series = split.places(cells.map(({ y }) => y), cells);
  const [shownCategories, shownSeries] = [
    categories.slice(0, isRound ? MOST.slices : MOST.categories),
    series.slice(0, MOST.series),
  ];
  const value = gathered(cells, y?.aggregate);
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

function axisOf(drawn: Drawn, channel: ShownChannel | undefined): Along {
  const type = drawn.data.columns[columnOf(drawn, channel)]?.type;
  const labels = channel && drawn.labels.get(channel.field);
  return alongOf(channel, { type, labels, language: drawn.language });
}

function cellsOf(
  drawn: Drawn,
  { along, split, value }: { along: Along; split: Along; value: ShownChannel | undefined },
): Cell[] {
  const at = columnOf(drawn, value);
  const [xAt, yAt] = [along, split].map(({ channel }) => columnOf(drawn, channel));
  return drawn.data.rows.map((row) => ({
    x: along.key(row[xAt ?? -1]),
    y: split.key(row[yAt ?? -1]),
    value: numberOf(row[at]),
  }));
}

function scatterOf(drawn: Drawn): { drawing: Drawing; left: number } {
  const { x, y, color, size } = drawn.shown.encoding;
  const along = axisOf(drawn, x);
  const split = axisOf(drawn, color);
  const [xAt, yAt, sizeAt] = [x, y, size].map((it) => columnOf(drawn, it));
  const { rows } = drawn.data;
  const isNumeric = rows.every((row) => numberOf(row[xAt ?? -1]) !== null);
  const keys = isNumeric ? [] : along.places(rows.map((row) => along.key(row[xAt ?? -1])), []);
  const names = split.places(rows.map((row) => split.key(row[columnOf(drawn, color)])), []);
  const shown = names.slice(0, MOST.series);
  const series = shown.map((name) => ({
    name: color === undefined ? y?.title ?? drawn.shown.label : split.label(name),
    dots: rows.filter((row) => split.key(row[columnOf(drawn, color)]) === name).flatMap((row) => {
      const across = isNumeric ? numberOf(row[xAt ?? -1]) : keys.indexOf(along.key(row[xAt ?? -1]));
      const up = numberOf(row[yAt ?? -1]);
      if (across === null || up === null) return [];
      return [[across, up, numberOf(row[sizeAt ?? -1])] as const];
    }),
  }));
  const categories = isNumeric ? undefined : keys.map((it) => along.label(it));
  return {
    drawing: { kind: "scatter", categories, series },
    left: names.length - shown.length,
  };
}

/** How much is the value's, else the colour's. */
function heatmapOf(drawn: Drawn): { drawing: Drawing; left: number } {
  const { x, y, value, color } = drawn.shown.encoding;
  const amount = value ?? color;
  const along = axisOf(drawn, x);
  const up = axisOf(drawn, y);
  const cells = cellsOf(drawn, { along, split: up, value: amount });
  const columns = along.places(cells.map((it) => it.x), cells);
  const rows = up.places(cells.map((it) => it.y), cells);
  const [shownColumns, shownRows] = [
    columns.slice(0, MOST.categories / 4),
    rows.slice(0, MOST.lines),
  ];
  const sum = gathered(cells, amount?.aggregate);
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
function figureOf(drawn: Drawn, kind: "kpi" | "gauge"): Drawing {
  const { value, compare, y } = drawn.shown.encoding;
  const figure = value ?? y;
  const of = (channel: ShownChannel | undefined) => {
    const at = columnOf(drawn, channel);
    const cells = drawn.data.rows.map((row) => ({ x: "", y: "", value: numberOf(row[at]) }));
    return gathered(cells, channel?.aggregate)("", "");
  };
  return {
    kind,
    value: of(figure),
    before: compare === undefined ? undefined : of(compare),
    isLessBetter: (compare ?? figure)?.direction === "down_is_good",
  };
}

/** The columns that are drawn, else all there are. */
function tableOf(drawn: Drawn): { drawing: Drawing; left: number } {
  const { data, shown } = drawn;
  const channels = Object.values(shown.encoding)
    .filter((it) => it !== undefined && "field" in it);
  const wanted = channels.length
    ? channels.map((it) => ({ channel: it, at: columnOf(drawn, it) })).filter(({ at }) => at >= 0)
    : data.columns.map(({ name, label }, at) => ({ channel: { field: name, title: label }, at }));
  const columns = wanted.slice(0, MOST_COLUMNS);
  const rows = data.rows.slice(0, MOST.lines);
  const alongs = columns.map(({ channel }) => axisOf(drawn, channel));
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
