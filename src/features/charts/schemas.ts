import { z } from "@hono/zod-openapi";
import { Format } from "#src/definitions/dictionary.ts";
import { ShownLookup } from "#src/features/dictionary/mod.ts";

export const ChartPath = z.object({ id: z.string() });
/** Besides, values of the chart's parameters. */
export const ChartQuery = z.looseObject({
  include_data: z.enum(["true", "false"]).default("false").openapi({
    description:
      "`true`: the data too, as far as the caller may read it; other parameters are the chart's",
  }),
});
/** Besides, values of the chart's parameters. */
export const PictureQuery = z.looseObject({
  width: z.coerce.number().int().min(200).max(2_000).default(800).openapi({
    description: "Pixels; other parameters are the chart's",
  }),
  height: z.coerce.number().int().min(120).max(2_000).default(400).openapi({
    description: "Pixels",
  }),
});
/** Values of the chart's parameters. */
export const DrawingQuery = z.looseObject({});
export const ParamMap = z.record(z.string(), z.unknown()).openapi("ChartParams", {
  description: "Parameters of the chart by name; those left out have their defaults",
  example: { year: 2026 },
});

const Listed = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string().optional(),
  type: z.string(),
}).openapi("ListedChart");
export const ChartList = z.object({
  language: z.string(),
  revision: z.string(),
  charts: z.array(Listed),
  total: z.int(),
}).openapi("ChartList");

const Scalars = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]));
/** A parameter of a chart or a screen that its reader may set. */
export const ShownParam = z.object({
  type: z.string(),
  label: z.string(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  default: z.unknown().optional(),
  lookup: z.string().optional(),
  enum: Scalars.optional(),
  min: z.union([z.number(), z.string()]).optional(),
  max: z.union([z.number(), z.string()]).optional(),
  min_length: z.int().optional(),
  max_length: z.int().optional(),
  pattern: z.string().optional(),
  input: z.string().optional(),
  values: Scalars.optional(),
}).openapi("ShownParam");
const Channel = z.object({
  field: z.string(),
  type: z.enum(["quantitative", "temporal", "ordinal", "nominal"]).optional(),
  aggregate: z.enum(["none", "sum", "avg", "min", "max", "count"]).optional(),
  time_unit: z.enum(["year", "quarter", "month", "week", "day", "hour"]).optional(),
  format: Format.optional(),
  title: z.string(),
  lookup: z.string().optional(),
  sort: z.enum(["ascending", "descending", "none"]).optional(),
  direction: z.enum(["up_is_good", "down_is_good"]).optional(),
}).openapi("ChartChannel");

/** The screen a click leads to, with its parameters. */
export const Target = z.object({
  screen: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
}).openapi("ScreenTarget");

/** The rows of a chart as they are answered. */
export const ChartData = z.object({
  columns: z.array(z.object({
    name: z.string(),
    type: z.string(),
    label: z.string(),
    lookup: z.string().optional(),
    format: Format.optional(),
  })),
  rows: z.array(z.array(z.unknown())),
  params: z.record(z.string(), z.unknown()),
  generated_at: z.string(),
  cached: z.boolean(),
  truncated: z.boolean(),
  missing: z.array(z.string()),
}).openapi("ChartData");

const Numbers = z.array(z.union([z.number(), z.null()]));
const DrawnSeries = z.object({
  name: z.string(),
  key: z.string().optional(),
  values: Numbers.optional(),
  dots: z.array(Numbers).optional(),
}).openapi("DrawnSeries");
const Drawing = z.object({
  kind: z.string(),
  categories: z.array(z.string()).optional(),
  keys: z.array(z.string()).optional(),
  series: z.array(DrawnSeries).optional(),
  rows: z.array(z.string()).optional(),
  cells: z.array(z.array(z.number())).optional(),
  value: z.union([z.number(), z.null()]).optional(),
  before: z.union([z.number(), z.null()]).optional(),
  less_is_better: z.boolean().optional(),
  columns: z.array(
    z.object({ label: z.string(), is_number: z.boolean() }).openapi("DrawnColumn"),
  ).optional(),
  lines: z.array(z.array(z.string())).optional(),
}).openapi("Drawing");
export const ChartDrawing = z.object({
  language: z.string(),
  title: z.string(),
  drawing: Drawing,
  axes: z.object({ x: z.string().optional(), y: z.string().optional() }).openapi("DrawnAxes"),
  format: Format.optional(),
  options: z.record(z.string(), z.unknown()),
  thresholds: z.array(z.object({ from: z.number(), tone: z.string() })),
  reference_lines: z.array(
    z.object({ x: z.number().optional(), y: z.number().optional(), label: z.string().optional() }),
  ),
  empty: z.string().optional(),
  notes: z.array(z.string()),
  data: ChartData,
  lookups: z.record(z.string(), ShownLookup),
}).openapi("ChartDrawing");

export const Chart = z.object({
  language: z.string(),
  revision: z.string(),
  id: z.string(),
  label: z.string(),
  description: z.string().optional(),
  type: z.string(),
  source: z.object({
    connector: z.string(),
    query: z.string().optional(),
    endpoint: z.string().optional(),
    max_rows: z.int().optional(),
    allowed: z.boolean(),
  }),
  params: z.record(z.string(), ShownParam),
  encoding: z.object({
    x: Channel.optional(),
    y: Channel.optional(),
    color: Channel.optional(),
    size: Channel.optional(),
    value: Channel.optional(),
    compare: Channel.optional(),
    tooltip: z.array(z.string()).optional(),
  }),
  options: z.record(z.string(), z.unknown()),
  thresholds: z.array(z.object({ from: z.number(), tone: z.string() })).optional(),
  reference_lines: z.array(
    z.object({ x: z.number().optional(), y: z.number().optional(), label: z.string().optional() }),
  ).optional(),
  drill: Target.optional(),
  empty: z.string().optional(),
  lookups: z.record(z.string(), ShownLookup),
  data: ChartData.optional(),
}).openapi("Chart");
