import { z } from "@hono/zod-openapi";
import { ITEM_STATES, RUN_MODES } from "#src/domain/processing/run.ts";
import { LogEntry, wholeNumber } from "#src/http/wire.ts";

export const RunPath = z.object({ runId: z.uuid() });
export const RunPage = z.object({
  page: wholeNumber(1, 1_000_000, 1),
  pageSize: wholeNumber(1, 500, 500),
});

export const Run = z.object({
  success: z.boolean(),
  error: z.string().optional(),
  runId: z.uuid(),
  state: z.enum(["splitting", "processing", "finished", "failed"]),
  template: z.string().nullable(),
  file: z.string(),
  mode: z.enum(RUN_MODES),
  jobNumber: z.string(),
  total: z.int(),
  counts: z.partialRecord(z.enum(ITEM_STATES), z.int()),
  createdAt: z.string(),
  finishedAt: z.string().nullable(),
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
