import { z } from "@hono/zod-openapi";
import { ITEM_STATES, RUN_MODES, RUN_STATES } from "#src/domain/processing/run.ts";
import {
  counted,
  inOrder,
  oneOrSeveral,
  pageQuery,
  severalOf,
  sortQuery,
  textFilter,
} from "#src/http/list.ts";
import { day, LogEntry } from "#src/http/wire.ts";
import { RUN_SORT } from "./list_views.ts";

export const RunPath = z.object({ runId: z.uuid() });
export const RunPage = pageQuery({ pageSize: 500 }).omit({ after: true }).extend({
  outcome: severalOf(z.enum(ITEM_STATES)).openapi({
    ...oneOrSeveral(ITEM_STATES),
    description: "Only invoices with this outcome, or one of several",
    example: ["rejected", "failed"],
  }),
});

const aDay = day().openapi({ example: "2026-11-20" });
export const RunQuery = inOrder(
  pageQuery().extend({
    state: severalOf(z.enum(RUN_STATES)).openapi({
      ...oneOrSeveral(RUN_STATES),
      description: "One or several",
      example: ["splitting", "processing"],
    }),
    template: textFilter.openapi({ description: "Name of the template" }),
    user: textFilter.openapi({
      description: "Who started it; `schedule of <template>` for a schedule",
    }),
    dateFrom: aDay.optional().openapi({ description: "Started on this day or later (UTC)" }),
    dateTo: aDay.optional().openapi({ description: "Started on this day or before (UTC)" }),
    ...sortQuery(RUN_SORT, { sortBy: "createdAt" }),
  }),
);

const summary = {
  success: z.boolean().nullable().openapi({
    description: "Null while the run is under way: there is no verdict yet",
  }),
  error: z.string().optional(),
  runId: z.uuid(),
  state: z.enum(RUN_STATES),
  template: z.string().nullable(),
  file: z.string(),
  mode: z.enum(RUN_MODES),
  startedBy: z.string().nullable().openapi({
    description: "Who started it; `schedule of <template>` for a schedule",
    example: "mdurand",
  }),
  jobNumber: z.string(),
  total: z.int(),
  counts: z.partialRecord(z.enum(ITEM_STATES), z.int()),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
};

const RunSummary = z.object(summary).openapi("RunSummary");
export const RunList = z.object({ runs: z.array(RunSummary), ...counted }).openapi("RunList");

export const Run = z.object({
  ...summary,
  invoices: z.array(z.object({
    index: z.int(),
    line: z.int(),
    state: z.enum(ITEM_STATES),
    id: z.string().nullable(),
    status: z.string().nullable(),
    statusLabel: z.string().nullable(),
    message: z.string().nullable(),
  })),
  logs: z.array(LogEntry),
}).openapi("Run");
