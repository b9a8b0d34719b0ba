import { z } from "zod";
import type { Deps } from "#src/deps.ts";
import { reasonOf } from "#src/domain/invoice/reasons.ts";
import { someEnabled } from "#src/features/templates/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { LiveBus, LiveEvent } from "#src/ports/live_bus.ts";
import { EVENTS_PER_TASK, type NoticeTask, noticeTask, type Occurrence } from "./tasks.ts";

/** The announcement of a status change, by `invoices/change_status.ts`. */
const StatusEvent = z.object({
  doc: z.string(),
  dct: z.string(),
  kco: z.string(),
  status: z.string(),
  message: z.string().default(""),
  reasonCode: z.string().nullish(),
  actionCode: z.string().nullish(),
});

/**
 * The live bus, on which a status change is also work: the dispatcher's task commits with the change. Nothing is added
 * while no rule is enabled, and a rule saved before the change is in time.
 */
export function notifying(bus: LiveBus, tasks: Deps["tasks"]): LiveBus {
  const notify = async (tx: Db, events: readonly LiveEvent[]) => {
    const changes = events.filter((it) => it.type === "invoice.status");
    if (!changes.length || !await someEnabled(tx, "notification-rule")) return;
    await tasks.enqueueAll(tx, noticeTask, parts(changes.map(({ data }) => occurrenceOf(data))));
  };
  return {
    ...bus,
    async publish(tx, event) {
      await bus.publish(tx, event);
      await notify(tx, [event]);
    },
    async publishAll(tx, events) {
      await bus.publishAll(tx, events);
      await notify(tx, events);
    },
  };
}

function occurrenceOf(data: unknown): Occurrence {
  const { doc, dct, kco, status, message, reasonCode, actionCode } = StatusEvent.parse(data);
  const notice = {
    doc,
    dct,
    kco,
    status,
    message,
    reason: reasonCode ?? (reasonOf(message) ? message.trim() : ""), // a person may give a reason by its code
    action: actionCode ?? "",
  };
  return { eventId: crypto.randomUUID(), notice };
}

function parts(events: readonly Occurrence[]): NoticeTask[] {
  const count = Math.ceil(events.length / EVENTS_PER_TASK);
  return Array.from(
    { length: count },
    (_, n) => ({ events: events.slice(n * EVENTS_PER_TASK, (n + 1) * EVENTS_PER_TASK) }),
  );
}
