import { z } from "@hono/zod-openapi";
import { ChartDataSchema, ShownParam, Target } from "#src/framework/charts/mod.ts";
import { ShownLookup } from "#src/framework/dictionary/mod.ts";

export const DashboardPath = z.object({
  id: z.string().openapi({
    description: "Name of the dashboard",
    example: "operations",
  }),
});
/** Besides, values of the dashboard's parameters. */
export const DashboardQuery = z.looseObject({
  include_data: z.enum(["true", "false"]).default("false").openapi({
    description:
      "`true` includes the data of each chart; other parameters are those of the dashboard",
  }),
});

const Listed = z.object({
  id: z.string().openapi({
    description: "Name of the dashboard; its permission code is `dashboard:<id>`",
    example: "operations",
  }),
  label: z.string().openapi({
    description: "Label of the dashboard",
    example: "Exploitation",
  }),
  description: z.string().optional().openapi({
    description: "Purpose of the dashboard",
    example: "Ce qui attend",
  }),
})
  .openapi("ListedDashboard", { description: "Dashboard in a list" });
export const DashboardList = z.object({
  language: z.string().openapi({ description: "Language of the labels", example: "fr" }),
  revision: z.string().openapi({
    description: "Revision of the content, equal to the `ETag`",
    example: "8f2a11c0d3b4e596",
  }),
  dashboards: z.array(Listed).openapi({ description: "Dashboards in their order" }),
  total: z.int().openapi({ description: "Number of entries", example: 2 }),
}).openapi("DashboardList", { description: "Dashboards that the caller may open" });

const Panel = z.object({
  id: z.string().openapi({ description: "Name of the panel", example: "revenue" }),
  kind: z.enum(["chart", "text", "grid"]).openapi({
    description: "Content of the panel",
    example: "chart",
  }),
  chart: z.string().optional().openapi({
    description: "Name of the chart",
    example: "amounts_by_month",
  }),
  screen: z.string().optional().openapi({
    description: "Screen whose grid the panel shows",
    example: "invoicing/invoices",
  }),
  html: z.string().optional().openapi({
    description: "Text as sanitised HTML",
    example: "<p><strong>HT</strong></p>",
  }),
  title: z.string().optional().openapi({
    description: "Title of the panel",
    example: "Montants par mois",
  }),
  grid: z.object({
    x: z.int().openapi({ description: "Distance from the left in columns", example: 0 }),
    y: z.int().openapi({ description: "Distance from the top in rows", example: 0 }),
    w: z.int().openapi({ description: "Width in columns", example: 6 }),
    h: z.int().openapi({ description: "Height in rows", example: 4 }),
  }).openapi({ description: "Position and size of the panel" }),
  params: z.record(z.string(), z.unknown()).optional().openapi({
    description: "Parameters of the chart; `{name}` stands for a parameter of the dashboard",
    example: { year: "{year}" },
  }),
  link: Target.optional(),
  data: ChartDataSchema.optional(),
  error: z.string().optional().openapi({
    description: "Reason why the requested data is missing",
    example: "No connection",
  }),
}).openapi("DashboardPanel", { description: "Panel of a dashboard" });

export const Dashboard = z.object({
  language: z.string().openapi({ description: "Language of the labels", example: "fr" }),
  revision: z.string().openapi({
    description: "Revision of the content, equal to the `ETag`",
    example: "8f2a11c0d3b4e596",
  }),
  id: z.string().openapi({ description: "Name of the dashboard", example: "operations" }),
  label: z.string().openapi({
    description: "Label of the dashboard",
    example: "Exploitation",
  }),
  description: z.string().optional().openapi({
    description: "Purpose of the dashboard",
    example: "Ce qui attend",
  }),
  layout: z.object({
    columns: z.int().openapi({ description: "Number of columns", example: 12 }),
    row_height: z.int().openapi({ description: "Height of a row in pixels", example: 80 }),
  }).openapi({ description: "Layout of the panels" }),
  refresh: z.string().openapi({
    description: "Interval between two readings; `0s` reloads only after live events",
    example: "60s",
  }),
  params: z.record(z.string(), ShownParam).openapi({
    description: "Parameters of all panels by name",
  }),
  panels: z.array(Panel).openapi({ description: "Panels that the caller may see" }),
  pruned: z.int().openapi({
    description: "Number of hidden panels, shown only to callers with `settings:dashboards`",
    example: 0,
  }),
  lookups: z.record(z.string(), ShownLookup).openapi({
    description: "Lookups that the dashboard uses, as in the dictionary",
  }),
}).openapi("Dashboard", { description: "Definition of a dashboard" });
