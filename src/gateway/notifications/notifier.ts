import type { Deps } from "#src/deps.ts";
import { someEnabled } from "#src/platform/templates/mod.ts";
import type { Notifier } from "#src/ports/notifier.ts";
import { EVENTS_PER_TASK, type NoticeTask, noticeTask, type Occurrence } from "./tasks.ts";

/**
 * Makes a status change the dispatcher's work: its task commits with the change. Nothing is added while no rule is
 * enabled, and a rule saved before the change is in time.
 */
export function ruleNotifier({ tasks }: Pick<Deps, "tasks">): Notifier {
  return {
    async statusesChanged(tx, changes) {
      if (!changes.length || !await someEnabled(tx, "notification-rule")) return;
      const events = changes.map((notice) => ({ eventId: crypto.randomUUID(), notice }));
      await tasks.enqueueAll(tx, noticeTask, parts(events));
    },
  };
}

function parts(events: readonly Occurrence[]): NoticeTask[] {
  const count = Math.ceil(events.length / EVENTS_PER_TASK);
  return Array.from(
    { length: count },
    (_, n) => ({ events: events.slice(n * EVENTS_PER_TASK, (n + 1) * EVENTS_PER_TASK) }),
  );
}
