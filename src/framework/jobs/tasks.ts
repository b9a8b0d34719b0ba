import { z } from "zod";
import type { Task } from "#src/ports/task_queue.ts";

/** Executes a run to its end or to a resting step. With `restedAt` it ends the rest begun at that fence. */
export const runTask: Task<{ runId: string; restedAt?: number | undefined }> = {
  name: "run_job",
  queue: "jobs",
  payload: z.object({ runId: z.uuid(), restedAt: z.int().optional() }),
  attempts: 12,
};
