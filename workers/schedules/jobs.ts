import type { Deps } from "#src/deps.ts";
import { forgetJobFiles, forgetJobLogs, newScheduler, tendRuns } from "#src/features/jobs/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";

const AGAIN_MS = 5_000;
const TEND_EVERY_MS = 30_000;
const FORGET_EVERY_MS = 6 * 3_600_000;

/** Begins what jobs and document templates have become due to do; each worker looks, one of them begins it. */
export async function scheduleJobs(deps: Deps, signal: AbortSignal): Promise<void> {
  const scheduler = newScheduler(deps);
  let tended = performance.now();
  let forgotten = -FORGET_EVERY_MS;
  while (!signal.aborted) {
    const { restMs } = await scheduler.look().catch((error) => {
      deps.log.warn("schedule.look.failed", { error: messageOf(error) });
      return { restMs: AGAIN_MS };
    });
    if (performance.now() - tended > TEND_EVERY_MS) {
      tended = performance.now();
      const mayForget = tended - forgotten > FORGET_EVERY_MS;
      if (mayForget) forgotten = tended;
      await tend(deps, mayForget).catch((error) =>
        deps.log.warn("jobs.tend.failed", { error: messageOf(error) })
      );
    }
    await delay(restMs, signal);
  }
}

async function tend(deps: Deps, mayForget: boolean): Promise<void> {
  await tendRuns(deps);
  if (!mayForget) return;
  await forgetJobLogs(deps);
  await forgetJobFiles(deps);
}
