import { z } from "zod";
import type { Task } from "#src/ports/task_queue.ts";

export const submitTask: Task<{ submissionId: string }> = {
  name: "submit_invoice",
  queue: "submission",
  payload: z.object({ submissionId: z.uuid() }),
  attempts: 12,
};

/** Reads what the PA has to say; two at once are one. */
export const pollTask: Task<Record<never, never>> = {
  name: "poll_pa",
  queue: "polling",
  payload: z.object({}),
  attempts: 3,
};
