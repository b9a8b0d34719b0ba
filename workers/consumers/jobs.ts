import type { Deps } from "#src/deps.ts";
import { newShared, resultCache } from "#src/features/connectors/mod.ts";
import { endRest, newAbortWatch, runDied, runJob, runTask } from "#src/features/jobs/mod.ts";
import { recordGuard } from "#src/features/screens/mod.ts";
import { consumer } from "#workers/consumer.ts";

/** Statements of one run, or of one query, at once: a loop has at most fifty under way. */
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
      // A run whose rest nobody could end is found by those who tend runs.
      async ({ runId, restedAt }) => {
        if (restedAt === undefined) await runDied(deps, runId);
      },
    ),
  ];
}
