import type { Deps } from "#src/deps.ts";
import { endLocks } from "#src/features/screens/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";

const LOOK_EVERY_MS = 5_000;

/** Says now and then which record locks have ended that nobody renewed. */
export async function scheduleLocks(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await endLocks(deps).catch((error) =>
      deps.log.warn("schedule.locks.failed", { error: messageOf(error) })
    );
    await delay(LOOK_EVERY_MS, signal);
  }
}
