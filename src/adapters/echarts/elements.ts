import type { ChartPlan, FigureDrawing, TableDrawing } from "#src/ports/chart_painter.ts";
import { FONT, INK, MUTED, PALETTE, RULE, toneColor } from "./look.ts";
import { createNumberFormat } from "./numbers.ts";

interface TextAt {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size?: number;
  readonly fill?: string;
  readonly align?: "left" | "center" | "right";
  readonly baseline?: "top" | "middle" | "bottom";
  readonly weight?: "bold" | "normal";
}

/** Returns a text element, cut to its width. */
export function textElement(
  {
    text,
    x,
    y,
    width,
    size = 14,
    fill = INK,
    align = "left",
    baseline = "middle",
    weight = "normal",
  }: TextAt,
) {
  return {
    type: "text" as const,
    silent: true,
    style: {
      text,
      x,
      y,
      width,
      overflow: "truncate" as const,
      fill,
      fontSize: size,
      fontFamily: FONT,
      fontWeight: weight,
      textAlign: align,
      textVerticalAlign: baseline,
    },
  };
}

/** Draws one large number and its change from the previous one. */
export function figureElements(
  plan: ChartPlan,
  { value, before, isLessBetter }: FigureDrawing,
) {
  const format = createNumberFormat(plan);
  const { width, height } = plan;
  const middle = { x: width / 2, align: "center" as const, width: width - 40 };
  const size = Math.round(Math.min(72, Math.max(28, height / 4)));
  const number = value ?? 0;
  const large = textElement({
    ...middle,
    y: height / 2,
    text: format(number),
    size,
    weight: "bold",
    fill: toneColor(plan.thresholds, number) ?? INK,
  });
  if (before === undefined || before === null) return [large];
  const change = number - before;
  const isBetter = (change < 0) === isLessBetter;
  const sign = change > 0 ? "▲ +" : change < 0 ? "▼ −" : "= ";
  const tone = change === 0 ? MUTED : toneColor([{ from: 0, tone: isBetter ? "good" : "bad" }], 0);
  const text = `${sign}${format(Math.abs(change))} (${format(before)})`;
  return [
    large,
    textElement({ ...middle, y: height / 2 + size / 2 + 20, text, fill: tone ?? MUTED }),
  ];
}

const LINE = 22;

/** Draws the rows that fit; a last line shows the number of omitted rows. */
export function tableElements(plan: ChartPlan, { columns, rows }: TableDrawing, top: number) {
  const { width, height, notes } = plan;
  const room = Math.floor((height - top - 16 - notes.length * 16) / LINE) - 1;
  const shown = rows.length <= room ? rows : rows.slice(0, Math.max(0, room - 1));
  const wide = (width - 24) / Math.max(1, columns.length);
  const cell = (text: string, column: number, line: number, weight: "bold" | "normal") => {
    const isNumber = columns[column]?.isNumber === true;
    return textElement({
      text,
      x: 12 + column * wide + (isNumber ? wide - 10 : 0),
      y: top + LINE * (line + 0.5),
      width: wide - 12,
      size: 12,
      align: isNumber ? "right" : "left",
      weight,
    });
  };
  const rule = (line: number, stroke: string) => ({
    type: "line" as const,
    silent: true,
    shape: { x1: 12, x2: width - 12, y1: top + LINE * line, y2: top + LINE * line },
    style: { stroke },
  });
  const left = rows.length - shown.length;
  const rest = left > 0 ? `… + ${left}` : "";
  return [
    ...columns.map(({ label }, at) => cell(label, at, 0, "bold")),
    rule(1, PALETTE[0]),
    ...shown.flatMap((row, line) => [
      ...row.map((text, at) => cell(text, at, line + 1, "normal")),
      rule(line + 2, RULE),
    ]),
    ...left > 0 ? [cell(rest, 0, shown.length + 1, "normal")] : [],
  ];
}
