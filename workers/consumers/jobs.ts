import type { Deps } from "#src/deps.ts";
import { newShared, resultCache } from "#src/framework/connectors/mod.ts";
import { endRest, newAbortWatch, runDied, runJob, runTask } from "#src/framework/jobs/mod.ts";
import { recordGuard } from "#src/framework/screens/mod.ts";
import { consumer } from "#workers/consumer.ts";

/** Limit of concurrent statements per run and per query; a loop has at most fifty. */
const AT_ONCE = { user: 100, query: 100 };

export function jobConsumers(deps: Deps) {
  const queries = newShared(resultCache(deps), AT_ONCE);
  const guard = recordGuard(deps, queries);
  const watch = newAbortWatch(deps);
  return [
    consumer(
      runTask,
      ({ runId, restedAt }, { signal }) =>
        restedAt === undefined
          ? runJob({ ...deps, queries, guard }, watch, { runId, signal })
          : endRest(deps, { runId, restedAt }),
      // A run whose rest could not be ended is found by the regular check of runs.
      async ({ runId, restedAt }) => {
        if (restedAt === undefined) await runDied(deps, runId);
      },
    ),
  ];
}
