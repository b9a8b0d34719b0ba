import type { Deps } from "#src/deps.ts";
import { endLocks } from "#src/framework/screens/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { toMessage } from "#src/kernel/errors.ts";

const LOOK_EVERY_MS = 5_000;

/** Ends expired record locks every five seconds and announces it. */
export async function scheduleLocks(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await endLocks(deps).catch((error) =>
      deps.log.warn("schedule.locks.failed", { error: toMessage(error) })
    );
    await delay(LOOK_EVERY_MS, signal);
  }
}
