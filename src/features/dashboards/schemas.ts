import { z } from "@hono/zod-openapi";
import { ChartDataSchema, ShownParam, Target } from "#src/features/charts/mod.ts";
import { ShownLookup } from "#src/features/dictionary/mod.ts";

export const DashboardPath = z.object({ id: z.string() });
/** Besides, values of the dashboard's parameters. */
export const DashboardQuery = z.looseObject({
  include_data: z.enum(["true", "false"]).default("false").openapi({
    description: "`true`: what each chart shows too; other parameters are the dashboard's",
  }),
});

const Listed = z.object({ id: z.string(), label: z.string(), description: z.string().optional() })
  .openapi("ListedDashboard");
export const DashboardList = z.object({
  language: z.string(),
  revision: z.string(),
  dashboards: z.array(Listed),
  total: z.int(),
}).openapi("DashboardList");

const Panel = z.object({
  id: z.string(),
  kind: z.enum(["chart", "text", "grid"]),
  chart: z.string().optional(),
  screen: z.string().optional(),
  html: z.string().optional(),
  title: z.string().optional(),
  grid: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  params: z.record(z.string(), z.unknown()).optional(),
  link: Target.optional(),
  data: ChartDataSchema.optional(),
  error: z.string().optional(),
}).openapi("DashboardPanel");

export const Dashboard = z.object({
  language: z.string(),
  revision: z.string(),
  id: z.string(),
  label: z.string(),
  description: z.string().optional(),
  layout: z.object({ columns: z.int(), row_height: z.int() }),
  refresh: z.string(),
  params: z.record(z.string(), ShownParam),
  panels: z.array(Panel),
  pruned: z.int(),
  lookups: z.record(z.string(), ShownLookup),
}).openapi("Dashboard");
