import type { Deps } from "#src/deps.ts";
import { giveTurns } from "#src/features/processing/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";

const LOOK_EVERY_MS = 5_000;

/** Gives turns every five seconds, in case a worker died before it gave the next ones. */
export async function scheduleTurns(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await giveTurns(deps).catch((error) =>
      deps.log.warn("schedule.turns.failed", { error: messageOf(error) })
    );
    await delay(LOOK_EVERY_MS, signal);
  }
}
