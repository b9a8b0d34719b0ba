import type { Deps } from "#src/deps.ts";
import { makeDue } from "#src/features/schedules/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";

const LOOK_EVERY_MS = 5_000;

/** Starts what the document templates have become due to do; each worker looks, one of them starts it. */
export async function scheduleDocuments(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await makeDue(deps).catch((error) =>
      deps.log.warn("schedule.look.failed", { error: messageOf(error) })
    );
    await delay(LOOK_EVERY_MS, signal);
  }
}
