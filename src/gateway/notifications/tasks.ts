import { z } from "zod";
import type { StatusNotice } from "#src/domain/notification/mod.ts";
import type { Task } from "#src/ports/task_queue.ts";

const ATTEMPTS = 12;

export const Notice: z.ZodType<StatusNotice> = z.object({
  doc: z.string(),
  dct: z.string(),
  kco: z.string(),
  status: z.string(),
  reason: z.string(),
  action: z.string(),
  message: z.string(),
  messageFr: z.string().nullable().optional(),
});

/** One status change. */
export interface Occurrence {
  /** Id of the event; its effects happen once per id. */
  readonly eventId: string;
  readonly notice: StatusNotice;
}

export interface NoticeTask {
  readonly events: readonly Occurrence[];
  /** This rule only; all that match without it. */
  readonly only?: string | undefined;
}

/** Changes announced together are dispatched together, so many at most. */
export const EVENTS_PER_TASK = 25;

/** The status of one invoice or several changed. */
export const noticeTask: Task<NoticeTask> = {
  name: "notify_status",
  queue: "notification",
  payload: z.object({
    events: z.array(z.object({ eventId: z.uuid(), notice: Notice })),
    only: z.string().optional(),
  }),
  attempts: ATTEMPTS,
};

/** Runs the action calls of one rule, then delivers. */
export const chainTask: Task<{ eventId: string; rule: string }> = {
  name: "notify_rule",
  queue: "notification",
  payload: z.object({ eventId: z.uuid(), rule: z.string() }),
  attempts: ATTEMPTS,
};

/** Sends one e-mail to one address. */
export const deliverTask: Task<{ deliveryId: string }> = {
  name: "deliver_notification",
  queue: "notification",
  payload: z.object({ deliveryId: z.uuid() }),
  attempts: ATTEMPTS,
};
