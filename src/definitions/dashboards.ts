import { z } from "zod";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import {
  Arguments,
  complain,
  createNameMap,
  distinct,
  Duration,
  InputParam,
  Name,
  object,
  oneOf,
  ParamName,
  refers,
  Text,
  Version,
} from "./words.ts";

const Box = object({
  x: z.int().min(0).max(47),
  y: z.int().min(0).max(10_000),
  w: z.int().min(1).max(48),
  h: z.int().min(1).max(200),
});
type Box = z.infer<typeof Box>;

const Panel = oneOf(
  object({
    id: Name,
    chart: refers("chart").optional(),
    text: Text.optional(),
    grid_of: refers("screen").optional(),
    title: Text.optional(),
    grid: Box,
    params: Arguments.optional(),
    link: object({ screen: refers("screen"), params: Arguments.optional() }).optional(),
  }),
  ["chart", "text", "grid_of"],
);

const Dashboard = object({
  label: Text,
  description: Text.optional(),
  layout: object({
    columns: z.int().min(1).max(48).optional(),
    row_height: z.int().min(20).max(1_000).optional(),
  }).optional(),
  refresh: Duration.optional(),
  params: z.record(ParamName, InputParam).optional(),
  panels: distinct(Panel, "id", 100),
}).superRefine(({ panels, layout }, context) => {
  const boxes = panels.map((it) => (it as { grid: Box }).grid);
  boxes.forEach((box, at) => {
    const issue = (sentence: Sentence) =>
      complain(context, { path: ["panels", at, "grid"], sentence });
    const columns = layout?.columns ?? 12;
    if (box.x + box.w > columns) issue(say`The panel ends beyond column ${columns}`);
    const other = boxes.findIndex((it, before) => before < at && overlaps(it, box));
    if (other >= 0) issue(say`The panel overlaps panel ${other + 1}`);
  });
});

function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** Panels on a grid. */
export const Dashboards = object({
  version: Version,
  dashboards: createNameMap("dashboard", Dashboard),
});

export type DashboardDefinition = z.infer<typeof Dashboard>;
export type DashboardPanel = DashboardDefinition["panels"][number];
