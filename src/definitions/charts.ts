import { z } from "zod";
import { Format } from "./dictionary.ts";
import {
  Arguments,
  Duration,
  named,
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
const Channel = object({
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
    x: Channel.optional(),
    y: Channel.optional(),
    color: Channel.optional(),
    size: Channel.optional(),
    value: Channel.optional(),
    compare: Channel.optional(),
    tooltip: z.array(Field).max(50).optional(),
  }),
  options: z.record(z.string().max(60), Value).optional(),
  thresholds: z.array(object({ from: z.number(), tone: z.string().max(40) })).max(50).optional(),
  reference_lines: z.array(
    object({ x: z.number().optional(), y: z.number().optional(), label: Text.optional() }),
  ).max(50).optional(),
  drill: object({ screen: refers("screen"), params: Arguments.optional() }).optional(),
  empty: Text.optional(),
  cache: object({ ttl: Duration }).optional(),
});

/** Pictures of what a query or an endpoint answers. */
export const Charts = object({ version: Version, charts: named("chart", Chart) });
