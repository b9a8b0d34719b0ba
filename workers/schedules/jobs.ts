import type { Deps } from "#src/deps.ts";
import { newScheduler, pruneJobFiles, pruneJobLogs, tendRuns } from "#src/framework/jobs/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { toMessage } from "#src/kernel/errors.ts";

const AGAIN_MS = 5_000;
const TEND_EVERY_MS = 30_000;
const PRUNE_EVERY_MS = 6 * 3_600_000;

/** Starts due work of jobs and document templates; every worker looks, and one of them starts it. */
export async function scheduleJobs(deps: Deps, signal: AbortSignal): Promise<void> {
  const scheduler = newScheduler(deps);
  let tended = performance.now();
  let pruned = -PRUNE_EVERY_MS;
  while (!signal.aborted) {
    const { restMs } = await scheduler.look().catch((error) => {
      deps.log.warn("schedule.look.failed", { error: toMessage(error) });
      return { restMs: AGAIN_MS };
    });
    if (performance.now() - tended > TEND_EVERY_MS) {
      tended = performance.now();
      const mayPrune = tended - pruned > PRUNE_EVERY_MS;
      if (mayPrune) pruned = tended;
      await tend(deps, mayPrune).catch((error) =>
        deps.log.warn("jobs.tend.failed", { error: toMessage(error) })
      );
    }
    await delay(restMs, signal);
  }
}

async function tend(deps: Deps, mayPrune: boolean): Promise<void> {
  await tendRuns(deps);
  if (!mayPrune) return;
  await pruneJobLogs(deps);
  await pruneJobFiles(deps);
}
