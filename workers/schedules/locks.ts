import type { Deps } from "#src/deps.ts";
import { endLocks } from "#src/features/screens/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";

const LOOK_EVERY_MS = 5_000;

/** Every five seconds, ends the record locks that nobody renewed and announces it. */
export async function scheduleLocks(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await endLocks(deps).catch((error) =>
      deps.log.warn("schedule.locks.failed", { error: messageOf(error) })
    );
    await delay(LOOK_EVERY_MS, signal);
  }
}
