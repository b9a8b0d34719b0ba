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
});

export interface NoticeTask {
  /** Of the status change: what it leads to is done once for it. */
  readonly eventId: string;
  readonly notice: StatusNotice;
  /** This rule only; all that match without it. */
  readonly only?: string | undefined;
}

/** The status of an invoice changed. */
export const noticeTask: Task<NoticeTask> = {
  name: "notify_status",
  queue: "notification",
  payload: z.object({ eventId: z.uuid(), notice: Notice, only: z.string().optional() }),
  attempts: ATTEMPTS,
};

/** The action calls of one rule, and what follows from them. */
export const chainTask: Task<{ eventId: string; rule: string }> = {
  name: "notify_rule",
  queue: "notification",
  payload: z.object({ eventId: z.uuid(), rule: z.string() }),
  attempts: ATTEMPTS,
};

/** One e-mail to one address. */
export const deliverTask: Task<{ deliveryId: string }> = {
  name: "deliver_notification",
  queue: "notification",
  payload: z.object({ deliveryId: z.uuid() }),
  attempts: ATTEMPTS,
};
