import { z } from "@hono/zod-openapi";
import { Format } from "#src/definitions/dictionary.ts";
import { ShownLookup } from "#src/framework/dictionary/mod.ts";

export const ChartPath = z.object({
  id: z.string().openapi({
    description: "Name of the chart",
    example: "invoices_by_status",
  }),
});
/** Besides, values of the chart's parameters. */
export const ChartQuery = z.looseObject({
  include_data: z.enum(["true", "false"]).default("false").openapi({
    description:
      "`true` includes the data when the caller may read it; other parameters are those of the chart",
  }),
});
/** Besides, values of the chart's parameters. */
export const PictureQuery = z.looseObject({
  width: z.coerce.number().int().min(200).max(2_000).default(800).openapi({
    description: "Width in pixels; other parameters are those of the chart",
    example: 800,
  }),
  height: z.coerce.number().int().min(120).max(2_000).default(400).openapi({
    description: "Height in pixels",
    example: 400,
  }),
});
/** Values of the chart's parameters. */
export const DrawingQuery = z.looseObject({});
export const ParamMap = z.record(z.string(), z.unknown()).openapi("ChartParams", {
  description: "Parameters of the chart by name; omitted ones have their defaults",
  example: { year: 2026 },
});

const Listed = z.object({
  id: z.string().openapi({
    description: "Name of the chart; its permission code is `chart:<id>`",
    example: "invoices_by_status",
  }),
  label: z.string().openapi({
    description: "Label of the chart",
    example: "Factures par statut",
  }),
  description: z.string().optional().openapi({
    description: "Content of the chart",
    example: "Toutes les factures",
  }),
  type: z.string().openapi({ description: "Type of the chart", example: "bar" }),
}).openapi("ListedChart", { description: "Chart in a list" });
export const ChartList = z.object({
  language: z.string().openapi({ description: "Language of the labels", example: "fr" }),
  revision: z.string().openapi({
    description: "Revision of the content, equal to the `ETag`",
    example: "8f2a11c0d3b4e596",
  }),
  charts: z.array(Listed).openapi({ description: "Charts in their order" }),
  total: z.int().openapi({ description: "Number of entries", example: 5 }),
}).openapi("ChartList", { description: "Charts that the caller may open" });

const Scalars = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]));
/** A parameter of a chart or a screen that its reader may set. */
export const ShownParam = z.object({
  type: z.string().openapi({ description: "Type of the values", example: "integer" }),
  label: z.string().openapi({ description: "Label of the parameter", example: "Année" }),
  description: z.string().optional().openapi({
    description: "Meaning of the parameter",
    example: "Année d'émission",
  }),
  required: z.boolean().optional().openapi({
    description: "True when the parameter is required",
    example: false,
  }),
  default: z.unknown().optional().openapi({
    description: "Default value at the time of the answer",
    example: 2026,
  }),
  lookup: z.string().optional().openapi({
    description: "Lookup that provides the values",
    example: "invoice_status",
  }),
  enum: Scalars.optional().openapi({ description: "Allowed values", example: [2025, 2026] }),
  min: z.union([z.number(), z.string()]).optional().openapi({
    description: "Smallest value",
    example: 0,
  }),
  max: z.union([z.number(), z.string()]).optional().openapi({
    description: "Largest value",
    example: 9999,
  }),
  min_length: z.int().optional().openapi({
    description: "Minimum number of characters",
    example: 1,
  }),
  max_length: z.int().optional().openapi({
    description: "Maximum number of characters",
    example: 100,
  }),
  pattern: z.string().optional().openapi({
    description: "Regular expression (RE2) of the value",
    example: "^[A-Z]+$",
  }),
  input: z.string().optional().openapi({ description: "Input control", example: "select" }),
  values: Scalars.optional().openapi({
    description: "Offered values",
    example: [2025, 2026],
  }),
}).openapi("ShownParam", { description: "Parameter with its constraints" });
const Channel = z.object({
  field: z.string().openapi({ description: "Column of the data", example: "month" }),
  type: z.enum(["quantitative", "temporal", "ordinal", "nominal"]).optional().openapi({
    description: "Scale of the values",
    example: "temporal",
  }),
  aggregate: z.enum(["none", "sum", "avg", "min", "max", "count"]).optional().openapi({
    description: "Aggregation of several values at one position",
    example: "sum",
  }),
  time_unit: z.enum(["year", "quarter", "month", "week", "day", "hour"]).optional().openapi({
    description: "Time unit of one position",
    example: "month",
  }),
  format: Format.optional().openapi({
    description: "Options of `Intl` in snake_case for the values",
    example: { style: "currency", currency: "EUR" },
  }),
  title: z.string().openapi({
    description: "Title of the axis or legend",
    example: "Mois",
  }),
  lookup: z.string().optional().openapi({
    description: "Lookup that provides labels for the values",
    example: "invoice_status",
  }),
  sort: z.enum(["ascending", "descending", "none"]).optional().openapi({
    description: "Order of the positions",
    example: "ascending",
  }),
  direction: z.enum(["up_is_good", "down_is_good"]).optional().openapi({
    description: "`up_is_good` or `down_is_good`, for a comparison",
    example: "down_is_good",
  }),
}).openapi("ChartChannel", { description: "Column of a chart and its use" });

/** The screen a click leads to, with its parameters. */
export const Target = z.object({
  screen: z.string().openapi({
    description: "Screen as `<app>/<screen>`",
    example: "invoicing/invoices",
  }),
  params: z.record(z.string(), z.unknown()).optional().openapi({
    description: "Parameters of the screen; `{name}` stands for a column of the point",
    example: { status: "{status}" },
  }),
}).openapi("ScreenTarget", { description: "Screen that a point or panel opens" });

/** The rows of a chart as they are answered. */
export const ChartData = z.object({
  columns: z.array(
    z.object({
      name: z.string().openapi({ description: "Name of the column", example: "month" }),
      type: z.string().openapi({ description: "Type of the values", example: "date" }),
      label: z.string().openapi({ description: "Label of the column", example: "Mois" }),
      lookup: z.string().optional().openapi({
        description: "Lookup that provides labels for the values",
        example: "invoice_status",
      }),
      format: Format.optional().openapi({
        description: "Options of `Intl` in snake_case for the values",
        example: { fraction_digits: 2 },
      }),
    }).openapi({ description: "Column of chart data" }),
  ).openapi({ description: "Columns with their types" }),
  rows: z.array(z.array(z.unknown())).openapi({
    description: "Rows as lists in the order of the columns; decimals are texts",
    example: [["2026-01", "1200.00"]],
  }),
  params: z.record(z.string(), z.unknown()).openapi({
    description: "Parameters of the data",
    example: { year: 2026 },
  }),
  generated_at: z.string().openapi({
    description: "Time when the data was read",
    example: "2026-01-31T09:00:00.000Z",
  }),
  cached: z.boolean().openapi({
    description: "True when the data comes from the cache",
    example: false,
  }),
  truncated: z.boolean().openapi({
    description: "True when the source has more rows",
    example: false,
  }),
  missing: z.array(z.string()).openapi({
    description: "Columns of the chart that the source no longer returns",
    example: [],
  }),
}).openapi("ChartData", { description: "Data of a chart" });

const Numbers = z.array(z.union([z.number(), z.null()]));
const DrawnSeries = z.object({
  name: z.string().openapi({ description: "Label of the series", example: "Ouverte" }),
  key: z.string().optional().openapi({
    description: "Data value of the series",
    example: "open",
  }),
  values: Numbers.optional().openapi({
    description: "One value per label; null without one",
    example: [12],
  }),
  dots: z.array(Numbers).optional().openapi({
    description: "Points: x, y and size",
    example: [[1, 2, null]],
  }),
}).openapi("DrawnSeries", { description: "Series of a chart" });
const Drawing = z.object({
  kind: z.string().openapi({
    description: "Type: bar, line, area, pie, donut, funnel, scatter, heatmap, kpi, gauge or table",
    example: "bar",
  }),
  categories: z.array(z.string()).optional().openapi({
    description: "Labels of the horizontal axis",
    example: ["janv. 2026"],
  }),
  keys: z.array(z.string()).optional().openapi({
    description: "Data values of the labels; a time is the start of its unit",
    example: ["2026-01-01"],
  }),
  series: z.array(DrawnSeries).optional().openapi({
    description: "Series of values or points",
  }),
  rows: z.array(z.string()).optional().openapi({
    description: "Labels of the vertical axis of a heatmap",
    example: ["10"],
  }),
  cells: z.array(z.array(z.number())).optional().openapi({
    description: "Cells of a heatmap: column, row, value",
    example: [[0, 0, 12]],
  }),
  value: z.union([z.number(), z.null()]).optional().openapi({
    description: "Value of a kpi or gauge",
    example: 12,
  }),
  before: z.union([z.number(), z.null()]).optional().openapi({
    description: "Value to compare with",
    example: 9,
  }),
  less_is_better: z.boolean().optional().openapi({
    description: "True when a smaller value is better",
    example: true,
  }),
  columns: z.array(
    z.object({
      label: z.string().openapi({ description: "Label of the column", example: "Statut" }),
      is_number: z.boolean().openapi({
        description: "True when the values are numbers",
        example: false,
      }),
    }).openapi("DrawnColumn", { description: "Column of a table" }),
  ).optional().openapi({ description: "Columns of a table" }),
  lines: z.array(z.array(z.string())).optional().openapi({
    description: "Rows of a table as texts",
    example: [["Déposée", "12"]],
  }),
}).openapi("Drawing", { description: "Content of a chart" });
const Threshold = z.object({
  from: z.number().openapi({ description: "Smallest value with this tone", example: 50 }),
  tone: z.string().openapi({ description: "Tone: good, warning or bad", example: "warning" }),
}).openapi("ChartThreshold", { description: "Threshold with its tone" });
const ReferenceLine = z.object({
  x: z.number().optional().openapi({ description: "Position on the horizontal axis", example: 3 }),
  y: z.number().optional().openapi({
    description: "Position on the vertical axis",
    example: 100000,
  }),
  label: z.string().optional().openapi({ description: "Label of the line", example: "Objectif" }),
}).openapi("ChartReferenceLine", { description: "Reference line" });
export const ChartDrawing = z.object({
  language: z.string().openapi({ description: "Language of the texts", example: "fr" }),
  title: z.string().openapi({
    description: "Label of the chart",
    example: "Factures par statut",
  }),
  drawing: Drawing,
  axes: z.object({
    x: z.string().optional().openapi({
      description: "Title of the horizontal axis",
      example: "Mois",
    }),
    y: z.string().optional().openapi({
      description: "Title of the vertical axis",
      example: "Montant",
    }),
  }).openapi("DrawnAxes", { description: "Titles of the axes" }),
  format: Format.optional().openapi({
    description: "Options of `Intl` in snake_case for the numbers",
    example: { style: "currency", currency: "EUR" },
  }),
  options: z.record(z.string(), z.unknown()).openapi({
    description: "Display options",
    example: { stacked: true },
  }),
  thresholds: z.array(Threshold).openapi({ description: "Thresholds with their tones" }),
  reference_lines: z.array(ReferenceLine).openapi({ description: "Reference lines" }),
  empty: z.string().optional().openapi({
    description: "Text without data",
    example: "Aucune facture",
  }),
  notes: z.array(z.string()).openapi({
    description: "Notes below the chart",
    example: ["Dessinées : les 20 premières lignes"],
  }),
  data: ChartData,
  lookups: z.record(z.string(), ShownLookup).openapi({
    description: "Lookups of the columns, as in the dictionary",
  }),
}).openapi("ChartDrawing", { description: "Drawing of a chart, ready to render" });

export const Chart = z.object({
  language: z.string().openapi({ description: "Language of the labels", example: "fr" }),
  revision: z.string().openapi({
    description: "Revision of the content, equal to the `ETag`",
    example: "8f2a11c0d3b4e596",
  }),
  id: z.string().openapi({ description: "Name of the chart", example: "invoices_by_status" }),
  label: z.string().openapi({
    description: "Label of the chart",
    example: "Factures par statut",
  }),
  description: z.string().optional().openapi({
    description: "Content of the chart",
    example: "Toutes les factures",
  }),
  type: z.string().openapi({
    description:
      "Type of the chart: bar, line, area, pie, donut, scatter, heatmap, kpi, gauge, funnel or table",
    example: "bar",
  }),
  source: z.object({
    connector: z.string().openapi({ description: "Name of the connector", example: "crm" }),
    query: z.string().optional().openapi({
      description: "Name of the query",
      example: "invoices_by_status",
    }),
    endpoint: z.string().optional().openapi({
      description: "Name of the endpoint, instead of a query",
      example: "rates",
    }),
    max_rows: z.int().optional().openapi({ description: "Maximum number of rows", example: 500 }),
    allowed: z.boolean().openapi({
      description: "False when the caller may not read the data",
      example: true,
    }),
  }).openapi({ description: "Data source of the chart" }),
  params: z.record(z.string(), ShownParam).openapi({
    description: "Parameters of the chart by name",
  }),
  encoding: z.object({
    x: Channel.optional(),
    y: Channel.optional(),
    color: Channel.optional(),
    size: Channel.optional(),
    value: Channel.optional(),
    compare: Channel.optional(),
    tooltip: z.array(z.string()).optional().openapi({
      description: "Columns shown for a point",
      example: ["month"],
    }),
  }).openapi({ description: "Columns of the chart and their use" }),
  options: z.record(z.string(), z.unknown()).openapi({
    description: "Display options",
    example: { stacked: true },
  }),
  thresholds: z.array(Threshold).optional().openapi({ description: "Thresholds with their tones" }),
  reference_lines: z.array(ReferenceLine).optional().openapi({ description: "Reference lines" }),
  drill: Target.optional(),
  empty: z.string().optional().openapi({
    description: "Text without data",
    example: "Aucune facture sur la période",
  }),
  lookups: z.record(z.string(), ShownLookup).openapi({
    description: "Lookups that the chart uses, as in the dictionary",
  }),
  data: ChartData.optional(),
}).openapi("Chart", { description: "Definition of a chart" });
