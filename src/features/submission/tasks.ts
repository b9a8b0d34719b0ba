import { z } from "zod";
import type { Task } from "#src/ports/task_queue.ts";

export const submitTask: Task<{ submissionId: string }> = {
  name: "submit_invoice",
  queue: "submission",
  payload: z.object({ submissionId: z.uuid() }),
  attempts: 12,
};

/** Reads what the PA has to say; two at once are one. */
export const pollTask: Task<{ scope: "recent" | "statuses" }> = {
  name: "poll_pa",
  queue: "polling",
  payload: z.object({ scope: z.enum(["recent", "statuses"]).default("recent") }),
  attempts: 3,
};

export const statusTask: Task<{ messageId: string }> = {
  name: "send_status",
  queue: "submission",
  payload: z.object({ messageId: z.uuid() }),
  attempts: 12,
};
