import { z } from "zod";
import type { Task } from "#src/ports/task_queue.ts";

/** What is polled without anybody asking, see `PollScope`. */
export type ScheduledScope = "recent" | "statuses";

/** Takes one sending a step further. */
export const submitTask: Task<{ submissionId: string }> = {
  name: "submit_invoice",
  queue: "submission",
  payload: z.object({ submissionId: z.uuid() }),
  attempts: 12,
};

/** Reads what the PA has to say; two at once are one, and the next makes up for one that failed. */
export const pollTask: Task<{ scope: ScheduledScope }> = {
  name: "poll_pa",
  queue: "polling",
  payload: z.object({ scope: z.enum(["recent", "statuses"]).default("recent") }),
  attempts: 3,
  recurs: true,
};

/** Takes one status message a step further. */
export const statusTask: Task<{ messageId: string }> = {
  name: "send_status",
  queue: "submission",
  payload: z.object({ messageId: z.uuid() }),
  attempts: 12,
};
