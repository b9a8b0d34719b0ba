import type { ChartDefinition } from "#src/definitions/charts.ts";
import type { Language } from "#src/kernel/language.ts";

/** Options of `Intl.NumberFormat` in snake_case, as the settings give them. */
export type NumberFormat = Readonly<Record<string, string | number | boolean>>;

/** Values of a series, one per category of a plan; null for a missing value. */
export interface PlannedSeries {
  readonly name: string;
  /** Key of the series, as in the data. */
  readonly key?: string | undefined;
  readonly values: readonly (number | null)[];
}

/** Numbers along names: each series has one for each category. */
export interface SeriesDrawing {
  readonly kind: "bar" | "line" | "area" | "pie" | "donut" | "funnel";
  readonly categories: readonly string[];
  /** Keys of the categories, as in the data; a time is the beginning of its unit. */
  readonly keys?: readonly string[] | undefined;
  readonly series: readonly PlannedSeries[];
}

/** Positions of dots; `categories` are the values of x, if x is not a number. */
export interface DotsDrawing {
  readonly kind: "scatter";
  readonly categories: readonly string[] | undefined;
  readonly series: readonly {
    readonly name: string;
    /** x, y and how large. */
    readonly dots: readonly (readonly [number, number, number | null])[];
  }[];
}

export interface FieldDrawing {
  readonly kind: "heatmap";
  readonly categories: readonly string[];
  readonly rows: readonly string[];
  /** Column, row, value. */
  readonly cells: readonly (readonly [number, number, number])[];
}

/** One number; `before` is the value for comparison. */
export interface FigureDrawing {
  readonly kind: "kpi" | "gauge";
  readonly value: number | null;
  readonly before: number | null | undefined;
  readonly isLessBetter: boolean;
}

export interface TableDrawing {
  readonly kind: "table";
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly string[])[];
}

export type Drawing = SeriesDrawing | DotsDrawing | FieldDrawing | FigureDrawing | TableDrawing;

export interface ChartPlan {
  readonly language: Language;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly drawing: Drawing;
  /** Titles of the axes. */
  readonly axes: { readonly x: string | undefined; readonly y: string | undefined };
  readonly format: NumberFormat | undefined;
  readonly options: ChartDefinition["options"];
  readonly thresholds: readonly { readonly from: number; readonly tone: string }[];
  readonly lines: readonly {
    readonly x?: number | undefined;
    readonly y?: number | undefined;
    readonly label?: string | undefined;
  }[];
  /** Text shown instead of an empty drawing. */
  readonly empty: string | undefined;
  /** At the foot. */
  readonly notes: readonly string[];
}

/**
 * Draws charts. Texts of a plan are translated already and always stay plain text. Throws AppError `too_large`
 * for a plan that takes too long, or `unavailable` while too many others are drawn.
 */
export interface ChartPainter {
  /** Returns an SVG that holds no script and no address. */
  svg(plan: ChartPlan, signal: AbortSignal): Promise<string>;
  /** Returns the same as a PNG, for readers of mail, of which few show an SVG. */
  png(plan: ChartPlan, signal: AbortSignal): Promise<Uint8Array>;
}
