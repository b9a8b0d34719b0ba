import type { Deps } from "#src/deps.ts";
import { pollTask } from "#src/features/submission/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";

/** Makes a poll due now and then; of several processes that do so at once, one adds it. */
export async function schedulePolls(deps: Deps, signal: AbortSignal): Promise<void> {
  const everyMs = deps.settings.pollSeconds * 1000;
  if (!everyMs) return;
  while (!signal.aborted) {
    try {
      await deps.db.transaction((tx) => deps.tasks.enqueue(tx, pollTask, {}, { dedupeKey: pollTask.name }));
    } catch (error) {
      deps.log.warn("schedule.poll.failed", { error: messageOf(error) });
    }
    await delay(everyMs, signal);
  }
}
