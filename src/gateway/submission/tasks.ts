import { z } from "zod";
import type { Task } from "#src/ports/task_queue.ts";

/** Scopes of scheduled polls; see `PollScope`. */
export type ScheduledScope = "recent" | "statuses";

/** Advances one submission by one step. */
export const submitTask: Task<{ submissionId: string }> = {
  name: "submit_invoice",
  queue: "submission",
  payload: z.object({ submissionId: z.uuid() }),
  attempts: 12,
};

/** Polls the PA. Two queued polls become one, and the next poll makes up for a failed one. */
export const pollTask: Task<{ scope: ScheduledScope }> = {
  name: "poll_pa",
  queue: "polling",
  payload: z.object({ scope: z.enum(["recent", "statuses"]).default("recent") }),
  attempts: 3,
  recurs: true,
};

/** Advances one status message by one step. */
export const statusTask: Task<{ messageId: string }> = {
  name: "send_status",
  queue: "submission",
  payload: z.object({ messageId: z.uuid() }),
  attempts: 12,
};
