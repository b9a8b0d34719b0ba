import type { EChartsOption } from "echarts";
import type {
  ChartPlan,
  DotsDrawing,
  FieldDrawing,
  SeriesDrawing,
} from "#src/ports/chart_painter.ts";
import { figureElements, tableElements, textElement } from "./elements.ts";
import { createNumberFormat } from "./numbers.ts";
import { FONT, INK, MUTED, PALETTE, RULE, toneColor } from "./look.ts";

const NOTE = 16;
const LEGEND_ROW = 22;
const HEAD = 44;
/** Maximum width of a label below the columns; longer labels are cut. */
const MAX_LABEL_WIDTH = 140;

type Series = readonly { readonly name: string }[];

/**
 * Converts a plan to an ECharts option. Texts stay plain: they are never templates, rich text or addresses. The
 * chart has no animation and no interaction.
 */
export function toChartOption(plan: ChartPlan): EChartsOption {
  const { drawing, title, width, empty } = plan;
  const base: EChartsOption = {
    animation: false,
    backgroundColor: "#ffffff",
    color: [...PALETTE],
    textStyle: { fontFamily: FONT, color: INK },
    title: {
      text: title,
      left: 12,
      top: 10,
      textStyle: { fontSize: 16, fontWeight: "bold", width: width - 24, overflow: "truncate" },
    },
  };
  const graphic = [...getNotes(plan)];
  if (empty !== undefined) {
    const middle = {
      x: width / 2,
      y: plan.height / 2,
      align: "center" as const,
      width: width - 40,
    };
    return { ...base, graphic: [...graphic, textElement({ ...middle, text: empty, fill: MUTED })] };
  }
  switch (drawing.kind) {
    case "kpi":
      return { ...base, graphic: [...graphic, ...figureElements(plan, drawing)] };
    case "table":
      return { ...base, graphic: [...graphic, ...tableElements(plan, drawing, HEAD)] };
    case "gauge":
      return { ...base, graphic, series: [drawGauge(plan, drawing.value ?? 0)] } as EChartsOption;
    case "pie":
    case "donut":
    case "funnel":
      return { ...base, graphic, ...getRound(plan, drawing) };
    case "scatter":
      return { ...base, graphic, ...getScatter(plan, drawing) };
    case "heatmap":
      return { ...base, graphic, ...getHeatmap(plan, drawing) };
    default:
      return { ...base, graphic, ...getColumns(plan, drawing) };
  }
}

function getNotes({ notes, width, height }: ChartPlan) {
  return notes.map((text, at) =>
    textElement({
      text,
      x: 12,
      y: height - 8 - NOTE * (notes.length - at - 1),
      width: width - 24,
      size: 11,
      fill: MUTED,
      baseline: "bottom",
    })
  );
}

function getColumns(plan: ChartPlan, { kind, categories, series }: SeriesDrawing) {
  const { options = {}, axes, lines } = plan;
  const isLying = kind === "bar" && options.horizontal === true;
  const format = createNumberFormat(plan);
  const names = {
    type: "category" as const,
    data: [...categories],
    name: axes.x,
    inverse: isLying,
    boundaryGap: kind === "bar",
    axisLabel: { hideOverlap: true, width: MAX_LABEL_WIDTH, overflow: "truncate" as const },
    axisLine: { lineStyle: { color: RULE } },
    axisTick: { show: false },
  };
  const numbers = {
    type: "value" as const,
    name: axes.y,
    scale: options.zero === false,
    axisLabel: { formatter: format, hideOverlap: true },
    splitLine: { lineStyle: { color: RULE } },
  };
  const isFew = categories.length <= 60;
  return {
    ...computeFrame(plan, series),
    xAxis: isLying ? below(numbers) : below(names),
    yAxis: isLying ? aside(names) : aside(numbers),
    series: series.map(({ name, values }, at) => ({
      type: kind === "bar" ? "bar" as const : "line" as const,
      name,
      data: values.map((value) => colorItem(plan, value, series.length)),
      ...options.stacked && { stack: "all" },
      ...kind === "area" && { areaStyle: { opacity: 0.3 } },
      ...kind !== "bar" && { showSymbol: isFew, symbolSize: 6, connectNulls: false },
      barMaxWidth: 48,
      label: {
        show: options.data_labels === true,
        position: options.stacked ? "inside" as const : isLying ? "right" as const : "top" as const,
        formatter: ({ value }: { value?: unknown }) =>
          typeof value === "number" ? format(value) : "",
      },
      ...at === 0 && lines.length && { markLine: getMarkLine(plan, isLying) },
    })),
  } as EChartsOption;
}

/** One series alone is coloured by its thresholds. */
function colorItem({ thresholds }: ChartPlan, value: number | null, series: number) {
  const color = value === null || series > 1 ? undefined : toneColor(thresholds, value);
  return color === undefined ? value : { value: value as number, itemStyle: { color } };
}

function getMarkLine({ lines }: ChartPlan, isLying: boolean) {
  return {
    symbol: "none",
    lineStyle: { type: "dashed", color: MUTED },
    data: lines.map(({ x, y, label }) => ({
      [(y === undefined) === isLying ? "yAxis" : "xAxis"]: y ?? x,
      label: {
        show: label !== undefined,
        formatter: () => label ?? "",
        position: "insideEndTop",
        color: MUTED,
      },
    })),
  };
}

/** Computes the position of the axes, and the legend if there are several series. */
function computeFrame({ options = {}, notes, axes, width }: ChartPlan, series: Series) {
  const wanted = options.legend ?? "bottom";
  const isNamed = series.length > 1 && wanted !== "none";
  const needed = series.reduce((all, { name }) => all + name.length * 7 + 40, 0);
  const rows = isNamed && (wanted === "top" || wanted === "bottom")
    ? Math.min(4, Math.ceil(needed / (width - 24)))
    : 0;
  const foot = 12 + notes.length * NOTE;
  const side = isNamed && rows === 0 ? 150 : 0;
  const place = wanted === "top" || wanted === "bottom"
    ? { left: 12, right: 12, ...wanted === "top" ? { top: HEAD - 6 } : { bottom: foot - 6 } }
    : { orient: "vertical" as const, top: HEAD, [wanted]: 12 };
  return {
    legend: {
      show: isNamed,
      ...place,
      itemWidth: 14,
      textStyle: { color: INK, width: 200, overflow: "truncate" as const },
    },
    grid: {
      left: (wanted === "left" ? side : 0) + 20,
      right: (wanted === "right" ? side : 0) + 28,
      top: HEAD + (axes.y === undefined ? 8 : 28) + (wanted === "top" ? rows * LEGEND_ROW : 0),
      bottom: foot + (axes.x === undefined ? 4 : 24) +
        (wanted === "bottom" ? rows * LEGEND_ROW : 0),
      containLabel: true,
    },
  };
}

/** Returns the name of the axis beneath its middle. */
function below<T>(axis: T) {
  return { ...axis, nameLocation: "middle" as const, nameGap: 28, nameTextStyle: { color: MUTED } };
}

/** And above its end. */
function aside<T>(axis: T) {
  return {
    ...axis,
    nameLocation: "inverse" in (axis as object) && (axis as { inverse: boolean }).inverse
      ? "start" as const
      : "end" as const,
    nameGap: 12,
    nameTextStyle: { color: MUTED, align: "left" as const },
  };
}

function getRound(plan: ChartPlan, { kind, categories, series }: SeriesDrawing) {
  const format = createNumberFormat(plan);
  const values = series[0]?.values ?? [];
  const whole = kind === "funnel"
    ? values.reduce<number>((most, it) => Math.max(most, it ?? 0), 0)
    : values.reduce<number>((all, it) => all + Math.max(0, it ?? 0), 0);
  const share = new Intl.NumberFormat(plan.language === "fr" ? "fr-FR" : "en-GB", {
    style: "percent",
    maximumFractionDigits: 1,
  });
  const data = categories.map((name, at) => ({ name, value: Math.max(0, values[at] ?? 0) }))
    .filter(({ value }) => value > 0);
  const label = {
    color: INK,
    width: 220,
    overflow: "truncate" as const,
    formatter: ({ name, value }: { name?: string; value?: unknown }) =>
      `${name}: ${format(Number(value))} (${share.format(Number(value) / (whole || 1))})`,
  };
  const bottom = 16 + plan.notes.length * NOTE;
  return {
    series: kind === "funnel"
      ? [{
        type: "funnel",
        left: "15%",
        right: "15%",
        top: HEAD + 8,
        bottom,
        sort: "descending",
        label: { ...label, position: "inside", color: "#ffffff" },
        data,
      }]
      : [{
        type: "pie",
        top: HEAD,
        bottom,
        radius: kind === "donut" ? ["45%", "70%"] : "70%",
        label,
        itemStyle: { borderColor: "#ffffff", borderWidth: 1 },
        data,
      }],
  } as EChartsOption;
}

function getScatter(plan: ChartPlan, { categories, series }: DotsDrawing) {
  const { axes, options = {} } = plan;
  const format = createNumberFormat(plan);
  const sizes = series.flatMap((it) => it.dots.flatMap((dot) => dot[2] === null ? [] : [dot[2]]));
  const largest = sizes.reduce((most, it) => Math.max(most, Math.abs(it)), 0);
  const getSize = ([, , size]: readonly unknown[]) =>
    typeof size === "number" && largest > 0 ? 4 + 28 * Math.sqrt(Math.abs(size) / largest) : 7;
  return {
    ...computeFrame(plan, series),
    xAxis: below({
      type: categories ? "category" as const : "value" as const,
      ...categories && { data: [...categories] },
      name: axes.x,
      scale: options.zero === false,
      splitLine: { lineStyle: { color: RULE } },
    }),
    yAxis: aside({
      type: "value" as const,
      name: axes.y,
      scale: options.zero === false,
      axisLabel: { formatter: format },
      splitLine: { lineStyle: { color: RULE } },
    }),
    series: series.map(({ name, dots }, at) => ({
      type: "scatter" as const,
      name,
      data: dots.map((it) => [...it]),
      symbolSize: getSize,
      itemStyle: { opacity: 0.75 },
      ...at === 0 && plan.lines.length && { markLine: getMarkLine(plan, false) },
    })),
  } as EChartsOption;
}

function getHeatmap(plan: ChartPlan, { categories, rows, cells }: FieldDrawing) {
  const values = cells.map((it) => it[2]);
  const least = values.reduce((all, it) => Math.min(all, it), values[0] ?? 0);
  const most = values.reduce((all, it) => Math.max(all, it), values[0] ?? 0);
  const { left, right, top, bottom } = computeFrame(plan, []).grid;
  const format = createNumberFormat(plan);
  return {
    grid: { left, right: right + 60, top, bottom, containLabel: true },
    xAxis: below({
      type: "category" as const,
      data: [...categories],
      name: plan.axes.x,
      axisLabel: { hideOverlap: true, width: MAX_LABEL_WIDTH, overflow: "truncate" as const },
    }),
    yAxis: aside({ type: "category" as const, data: [...rows], name: plan.axes.y }),
    visualMap: {
      min: least,
      max: most,
      right: 8,
      top: "middle",
      text: [format(most), format(least)],
      inRange: { color: ["#e8f1fa", "#0b5ca8"] },
    },
    series: [{
      type: "heatmap",
      data: cells.map((it) => [...it]),
      label: {
        show: plan.options?.data_labels === true,
        formatter: ({ value }: { value?: unknown }) => format(Number((value as number[])[2])),
      },
    }],
  } as EChartsOption;
}

/** Draws a gauge from zero to the last threshold, or to a round number above the value. */
function drawGauge(plan: ChartPlan, value: number) {
  const { thresholds } = plan;
  const top = Math.max(thresholds.at(-1)?.from ?? 0, value, 1);
  const round = 10 ** Math.floor(Math.log10(top));
  const max = Math.ceil(top * 1.1 / round) * round;
  const format = createNumberFormat(plan);
  return {
    type: "gauge",
    center: ["50%", "62%"],
    radius: "72%",
    min: Math.min(0, value),
    max,
    splitNumber: 5,
    progress: { show: true, width: 14 },
    axisLine: { lineStyle: { width: 14, color: [[1, RULE]] } },
    itemStyle: { color: toneColor(thresholds, value) ?? PALETTE[0] },
    axisTick: { show: false },
    splitLine: { length: 8 },
    axisLabel: { distance: 20, formatter: format, color: MUTED },
    detail: { formatter: format, fontSize: 26, color: INK, offsetCenter: [0, "60%"] },
    data: [{ value }],
  };
}
