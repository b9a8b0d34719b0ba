import type { EChartsCoreOption } from "echarts/core";
import { type ConsoleLanguage, formatNamed } from "../../../i18n/language.ts";
import { formatCell } from "../cells.tsx";
import { type ChartDrawing, type Point, toneAt } from "./drawn.ts";
import {
  labelWidth,
  LEGEND_LINE,
  LEGEND_LINES,
  LEGEND_TEXT,
  legendLines,
  LINE,
  LYING,
  roomBelow,
} from "./label_room.ts";
import type { Looks } from "./looks.ts";
import { wholeSteps } from "./ticks.ts";

interface Around {
  readonly looks: Looks;
  readonly language: ConsoleLanguage;
  readonly tooltipLines: (point: Point) => readonly string[];
  /** Width in pixels. */
  readonly width: number;
}

type Write = (value: unknown) => string;

/** Formats of axis ticks: up to two decimals, or two significant digits for small values. */
const TICKS = { minimum_fraction_digits: 0, maximum_fraction_digits: 2 };
const SMALL_TICKS = { maximum_significant_digits: 2 };
const ticksFor = (value: unknown, format: object = {}) =>
  Math.abs(Number(value)) < 0.1 && !Object.keys(format).some((it) => /digits$/.test(it))
    ? SMALL_TICKS
    : TICKS;

/** Returns the writer of axis ticks. Amounts elsewhere have the decimals of their currency. */
function writeTicks({ format }: ChartDrawing, around: Around): Write {
  return (value) => writeNumber(value, { ...ticksFor(value, format), ...format }, around);
}

function writeNumber(value: unknown, format: ChartDrawing["format"], around: Around): string {
  if (value === null || value === undefined) return "–";
  return formatCell(value, { type: "number", ...format && { format } }, around);
}

/** Converts a drawing into ECharts options. All texts are plain text; tooltips are drawn, not HTML. */
export function toChartOption(plan: ChartDrawing, around: Around): EChartsCoreOption {
  const { looks: { font, text, series } } = around;
  const write: Write = plan.format?.["style"] === "currency"
    ? (value) => writeNumber(value, plan.format, around)
    : writeTicks(plan, around);
  const base = {
    animation: false,
    color: [...series],
    textStyle: { fontFamily: font, color: text },
    tooltip: getTooltip(plan, around, write),
  };
  switch (plan.drawing.kind) {
    case "gauge":
      return { ...base, series: [getGauge(plan, around, write)] };
    case "pie":
    case "donut":
    case "funnel":
      return { ...base, series: [getRound(plan, around, write)] };
    case "scatter":
      return { ...base, ...getScatter(plan, around) };
    case "heatmap":
      return { ...base, ...getHeatmap(plan, around, write) };
    default:
      return { ...base, ...getColumns(plan, around, write) };
  }
}

interface Hovered {
  readonly dataIndex?: number;
  readonly seriesIndex?: number;
  readonly name?: string;
  readonly seriesName?: string;
  readonly value?: unknown;
}

function getTooltip({ drawing }: ChartDrawing, { looks, tooltipLines }: Around, write: Write) {
  return {
    // The page's CSP forbids the inline styles of HTML tooltips.
    renderMode: "richText" as const,
    confine: true,
    backgroundColor: looks.page,
    borderColor: looks.border,
    textStyle: { color: looks.text, fontSize: 13 },
    formatter: ({ dataIndex = 0, seriesIndex = 0, name = "", seriesName = "", value }: Hovered) => {
      const series = drawing.series ?? [];
      const amount = Array.isArray(value) ? value[value.length === 3 ? 2 : 1] : value;
      const named = series.length > 1 ? seriesName : series[seriesIndex]?.name;
      const lines = [
        name,
        named ? formatNamed(named, write(amount)) : write(amount),
        ...tooltipLines({ key: drawing.keys?.[dataIndex], series: series[seriesIndex]?.key }),
      ];
      return plain(lines.filter(Boolean).join("\n"));
    },
  };
}

/** Escapes braces, which ECharts would read as formatting. */
const plain = (text: string) => text.replaceAll("{", "{\u200b");

function getColumns(plan: ChartDrawing, around: Around, write: Write) {
  const { drawing: { kind, categories = [], series = [] }, options, axes } = plan;
  const { looks } = around;
  const isLying = kind === "bar" && options["horizontal"] === true;
  const room = isLying
    ? {
      label: {
        width: Math.min(200, around.width * 0.35),
        overflow: "truncate" as const,
        ...categories.length <= LYING && { interval: 0 },
      },
      depth: LINE,
    }
    : roomBelow(categories.map(String), around.width);
  const names = {
    type: "category" as const,
    data: categories,
    ...axes.x !== undefined && { name: axes.x },
    inverse: isLying,
    boundaryGap: kind === "bar",
    axisLabel: {
      hideOverlap: !(isLying && categories.length <= LYING),
      color: looks.muted,
      ...room.label,
    },
    axisLine: { lineStyle: { color: looks.border } },
    axisTick: { show: false },
  };
  const numbers = {
    type: "value" as const,
    ...wholeSteps(series),
    ...axes.y !== undefined && { name: axes.y },
    scale: options["zero"] === false,
    axisLabel: { formatter: writeTicks(plan, around), hideOverlap: true, color: looks.muted },
    splitLine: { lineStyle: { color: looks.border } },
  };
  const frame = getFrame(plan, around);
  // Half of the last label is beyond the end of a line.
  const beyond = kind === "bar" ? 0 : Math.min(60, labelWidth(categories.at(-1), room) / 2);
  // The height of labels is an estimate; the spare line keeps the axis name visible.
  const spare = room.depth > LINE && axes.x !== undefined ? LINE : 0;
  return {
    ...frame,
    grid: {
      ...frame.grid,
      right: Math.max(frame.grid.right, beyond),
      bottom: frame.grid.bottom + spare,
    },
    xAxis: isLying ? below(numbers, looks) : below(names, looks, room.depth),
    yAxis: isLying ? aside(names, looks) : aside(numbers, looks),
    series: getSeries(plan, { looks, write, isLying }),
  };
}

function getSeries(plan: ChartDrawing, { looks, write, isLying }: {
  looks: Looks;
  write: Write;
  isLying: boolean;
}) {
  const { drawing: { kind, categories = [], series = [] }, options } = plan;
  return series.map(({ name, values = [] }, at) => ({
    type: kind === "bar" ? "bar" : "line",
    name,
    data: values.map((value) => {
      const tone = series.length > 1 ? undefined : toneAt(plan.thresholds, value);
      const color = tone === undefined ? undefined : looks.tones[tone];
      return color === undefined ? value : { value, itemStyle: { color } };
    }),
    ...options["stacked"] === true && { stack: "all" },
    ...kind === "area" && { areaStyle: { opacity: 0.3 } },
    ...kind !== "bar" && {
      symbol: "circle",
      showSymbol: categories.length <= 60,
      symbolSize: 7,
    },
    barMaxWidth: 48,
    label: {
      show: options["data_labels"] === true,
      position: options["stacked"] === true ? "inside" : isLying ? "right" : "top",
      color: looks.text,
      formatter: ({ value }: Hovered) => typeof value === "number" ? write(value) : "",
    },
    ...at === 0 && plan.reference_lines.length && { markLine: getLines(plan, isLying, looks) },
  }));
}

function getLines({ reference_lines: lines }: ChartDrawing, isLying: boolean, looks: Looks) {
  return {
    symbol: "none",
    silent: true,
    lineStyle: { type: "dashed", color: looks.muted },
    data: lines.map(({ x, y, label = "" }) => ({
      [(y === undefined) === isLying ? "yAxis" : "xAxis"]: y ?? x,
      label: {
        show: label !== "",
        formatter: () => label,
        position: "insideEndTop",
        color: looks.muted,
      },
    })),
  };
}

function getFrame(
  { drawing: { series = [] }, options, axes }: ChartDrawing,
  { looks, width }: Around,
) {
  const place = String(options["legend"] ?? "bottom");
  const isNamed = series.length > 1 && place !== "none";
  const isSide = place === "left" || place === "right";
  const lines = isSide ? 1 : legendLines(series.map(({ name }) => name), width);
  // A longer legend is paged.
  const isPaged = isSide || lines > LEGEND_LINES;
  const depth = isPaged ? 0 : (lines - 1) * LEGEND_LINE;
  return {
    legend: {
      show: isNamed,
      type: isPaged ? "scroll" : "plain",
      ...isSide ? { orient: "vertical", top: 8, [place]: 0 } : { left: 0, right: 0, [place]: 0 },
      itemWidth: 14,
      textStyle: { color: looks.text, width: LEGEND_TEXT, overflow: "truncate" },
      pageTextStyle: { color: looks.text },
      pageIconColor: looks.text,
      pageIconInactiveColor: looks.border,
    },
    grid: {
      left: isNamed && place === "left" ? 160 : 4,
      right: isNamed && place === "right" ? 160 : 16,
      top: (axes.y === undefined ? 12 : 30) + (isNamed && place === "top" ? 24 + depth : 0),
      bottom: (axes.x === undefined ? 4 : 24) + (isNamed && place === "bottom" ? 28 + depth : 0),
      containLabel: true,
    },
  };
}

const below = <T>(axis: T, { muted }: Looks, depth = LINE) => ({
  ...axis,
  nameLocation: "middle",
  nameGap: LINE + depth,
  nameTextStyle: { color: muted },
});

const aside = <T>(axis: T, { muted }: Looks) => ({
  ...axis,
  nameLocation: (axis as { inverse?: boolean }).inverse ? "start" : "end",
  nameGap: 12,
  nameTextStyle: { color: muted, align: "left" },
});

/** Width in pixels below which labels have little space next to the drawing. */
const NARROW = 420;

function getRound(plan: ChartDrawing, { looks, width }: Around, write: Write) {
  const { drawing: { kind, categories = [], series = [] } } = plan;
  const values = series[0]?.values ?? [];
  const label = {
    color: looks.text,
    width: Math.max(60, width * 0.28),
    overflow: "truncate",
    lineHeight: LINE,
    // On two lines they fit next to a small drawing too.
    formatter: ({ name = "", value }: Hovered) => `${name}\n${write(value)}`,
  };
  const data = categories.map((name, at) => ({ name, value: Math.max(0, values[at] ?? 0) }));
  if (kind === "funnel") {
    const shape = { left: "5%", right: "35%", top: 8, bottom: 8, sort: "descending" };
    return { type: "funnel", ...shape, label: { ...label, position: "right" }, data };
  }
  const isNarrow = width < NARROW;
  const outer = isNarrow ? "56%" : "68%";
  return {
    type: "pie",
    radius: kind === "donut" ? [isNarrow ? "36%" : "42%", outer] : outer,
    label,
    ...isNarrow && { labelLine: { length: 8, length2: 6 } },
    itemStyle: { borderColor: looks.page, borderWidth: 1 },
    data,
  };
}

function getScatter(plan: ChartDrawing, around: Around) {
  const { drawing: { categories, series = [] }, axes, options } = plan;
  const { looks } = around;
  const sizes = series.flatMap(({ dots = [] }) => dots.map(([, , size]) => Math.abs(size ?? 0)));
  const largest = Math.max(0, ...sizes);
  const split = { splitLine: { lineStyle: { color: looks.border } } };
  const scale = { scale: options["zero"] === false };
  const labels = { axisLabel: { color: looks.muted } };
  const x = { type: categories ? "category" : "value", data: categories, name: axes.x };
  return {
    ...getFrame(plan, around),
    xAxis: below({ ...x, ...scale, ...split, ...labels }, looks),
    yAxis: aside({
      type: "value",
      name: axes.y,
      ...scale,
      ...split,
      axisLabel: { color: looks.muted, formatter: writeTicks(plan, around) },
    }, looks),
    series: series.map(({ name, dots = [] }) => ({
      type: "scatter",
      name,
      data: dots,
      symbolSize: ([, , size]: readonly (number | null)[]) =>
        typeof size === "number" && largest > 0 ? 4 + 28 * Math.sqrt(Math.abs(size) / largest) : 8,
      itemStyle: { opacity: 0.75 },
    })),
  };
}

function getHeatmap(plan: ChartDrawing, around: Around, write: Write) {
  const { drawing: { categories = [], rows = [], cells = [] }, axes, options } = plan;
  const { looks } = around;
  const values = cells.map(([, , value]) => value ?? 0);
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const { grid } = getFrame(plan, around);
  const axisLabel = { color: looks.muted, hideOverlap: true };
  return {
    grid: { ...grid, right: 90 },
    xAxis: below({ type: "category", data: categories, name: axes.x, axisLabel }, looks),
    yAxis: aside({ type: "category", data: rows, name: axes.y, axisLabel }, looks),
    visualMap: {
      min,
      max,
      right: 0,
      top: "middle",
      itemWidth: 12,
      text: [max, min].map(writeTicks(plan, around)),
      textStyle: { color: looks.text },
      inRange: { color: [...looks.range] },
    },
    series: [{
      type: "heatmap",
      data: cells,
      label: {
        show: options["data_labels"] === true,
        formatter: ({ value }: Hovered) => write((value as readonly number[])[2]),
      },
    }],
  };
}

/** Returns a gauge from zero to above the last threshold or the value. */
function getGauge(plan: ChartDrawing, around: Around, write: Write) {
  const { drawing: { value }, thresholds } = plan;
  const { looks } = around;
  const own = value ?? 0;
  const top = Math.max(1, own, ...thresholds.map(({ from }) => from));
  const round = 10 ** Math.floor(Math.log10(top));
  const tone = toneAt(thresholds, own);
  return {
    type: "gauge",
    center: ["50%", "62%"],
    radius: "88%",
    min: Math.min(0, own),
    max: Math.ceil(top * 1.1 / round) * round,
    splitNumber: 5,
    progress: { show: true, width: 14 },
    axisLine: { lineStyle: { width: 14, color: [[1, looks.border]] } },
    itemStyle: { color: tone === undefined ? looks.series[0] : looks.tones[tone] ?? looks.muted },
    axisTick: { show: false },
    splitLine: { length: 8, lineStyle: { color: looks.muted } },
    axisLabel: {
      distance: 18,
      formatter: writeTicks(plan, around),
      color: looks.muted,
      fontSize: 11,
    },
    detail: { formatter: write, fontSize: 24, color: looks.text, offsetCenter: [0, "55%"] },
    data: [{ value: own }],
  };
}
