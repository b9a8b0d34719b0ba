import { z } from "zod";
import type { Task } from "#src/ports/task_queue.ts";

/** Finds the invoices of a run's file; a retry resumes where it stopped. */
export const splitTask: Task<{ runId: string }> = {
  name: "split_run",
  queue: "processing",
  payload: z.object({ runId: z.uuid() }),
  attempts: 5,
};

/** Works on some consecutive invoices of a run, those that are still pending. */
export const processTask: Task<{ runId: string; from: number; to: number }> = {
  name: "process_items",
  queue: "processing",
  payload: z.object({ runId: z.uuid(), from: z.int(), to: z.int() }),
  attempts: 5,
};
