import type { Deps } from "#src/deps.ts";
import { enqueueBatches } from "#src/gateway/processing/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { toMessage } from "#src/kernel/errors.ts";

const LOOK_EVERY_MS = 5_000;

/** Enqueues batches every five seconds, in case a worker died before it enqueued the next ones. */
export async function scheduleTurns(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await enqueueBatches(deps).catch((error) =>
      deps.log.warn("schedule.turns.failed", { error: toMessage(error) })
    );
    await delay(LOOK_EVERY_MS, signal);
  }
}
