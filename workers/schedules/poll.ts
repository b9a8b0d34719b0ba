import type { Deps } from "#src/deps.ts";
import { type PollScope, pollTask } from "#src/features/submission/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";

/** Going through the last day again is for what platforms list late; it need not be often. */
const STATUSES_EVERY = 120;

/** Makes polls due now and then; of several processes that do so at once, one adds it. */
export async function schedulePolls(deps: Deps, signal: AbortSignal): Promise<void> {
  const everyMs = deps.settings.pollSeconds * 1000;
  if (!everyMs) return;
  for (let round = 0; !signal.aborted; round++) {
    await makeDue(deps, "recent");
    if (round % STATUSES_EVERY === STATUSES_EVERY - 1) await makeDue(deps, "statuses");
    await delay(everyMs, signal);
  }
}

async function makeDue(deps: Deps, scope: PollScope): Promise<void> {
  const dedupeKey = scope === "recent" ? pollTask.name : `${pollTask.name}_${scope}`;
  try {
    await deps.db.transaction((tx) => deps.tasks.enqueue(tx, pollTask, { scope }, { dedupeKey }));
  } catch (error) {
    deps.log.warn("schedule.poll.failed", { scope, error: messageOf(error) });
  }
}
