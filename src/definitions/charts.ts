import { z } from "zod";
import { say } from "#src/kernel/i18n/sentence.ts";
import { Format } from "./dictionary.ts";
import {
  Arguments,
  complain,
  createNameMap,
  Duration,
  object,
  oneOf,
  Param,
  ParamName,
  refers,
  Text,
  Value,
  Version,
  Whole,
} from "./words.ts";

const Field = z.string().min(1).max(128);
const EncodingChannel = object({
  field: Field,
  type: z.enum(["quantitative", "temporal", "ordinal", "nominal"]).optional(),
  aggregate: z.enum(["none", "sum", "avg", "min", "max", "count"]).optional(),
  time_unit: z.enum(["year", "quarter", "month", "week", "day", "hour"]).optional(),
  format: Format.optional(),
  title: Text.optional(),
  lookup: refers("lookup").optional(),
  sort: z.enum(["ascending", "descending", "none"]).optional(),
  direction: z.enum(["up_is_good", "down_is_good"]).optional(),
});

const Chart = object({
  label: Text,
  description: Text.optional(),
  type: z.enum([
    "bar",
    "line",
    "area",
    "pie",
    "donut",
    "scatter",
    "heatmap",
    "kpi",
    "gauge",
    "funnel",
    "table",
  ]),
  source: oneOf(
    object({
      connector: refers("connector"),
      query: refers("query").optional(),
      endpoint: refers("endpoint").optional(),
      max_rows: Whole.min(1).max(100_000).optional(),
    }),
    ["query", "endpoint"],
  ),
  params: z.record(ParamName, z.union([object({ value: Value }), Param])).optional(),
  encoding: object({
    x: EncodingChannel.optional(),
    y: EncodingChannel.optional(),
    color: EncodingChannel.optional(),
    size: EncodingChannel.optional(),
    value: EncodingChannel.optional(),
    compare: EncodingChannel.optional(),
    tooltip: z.array(Field).max(50).optional(),
  }),
  options: object({
    /** Stacks bars, lines or areas. */
    stacked: z.boolean().optional(),
    legend: z.enum(["top", "bottom", "left", "right", "none"]).optional(),
    /** Draws bars horizontally. */
    horizontal: z.boolean().optional(),
    data_labels: z.boolean().optional(),
    /** The axis of numbers begins at zero, unless it is `false`. */
    zero: z.boolean().optional(),
  }).optional(),
  thresholds: z.array(object({ from: z.number(), tone: z.string().max(40) })).max(50).optional(),
  reference_lines: z.array(
    object({ x: z.number().optional(), y: z.number().optional(), label: Text.optional() }),
  ).max(50).optional(),
  drill: object({ screen: refers("screen"), params: Arguments.optional() }).optional(),
  empty: Text.optional(),
  cache: object({ ttl: Duration }).optional(),
}).superRefine(({ type, options = {} }, context) => {
  for (const [name, types] of Object.entries(OPTIONS_OF)) {
    if (!(name in options) || types.includes(type)) continue;
    const sentence = say`${name} is of no use to a chart of the type ${type}`;
    complain(context, { path: ["options", name], sentence });
  }
});

/** Chart types that support an option. */
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  stacked: ["bar", "line", "area"],
  horizontal: ["bar"],
  zero: ["bar", "line", "area", "scatter"],
};

/** Charts of the results of queries and endpoints. */
export const Charts = object({ version: Version, charts: createNameMap("chart", Chart) });

export type ChartDefinition = z.infer<typeof Chart>;
export type EncodingChannel = z.infer<typeof EncodingChannel>;
