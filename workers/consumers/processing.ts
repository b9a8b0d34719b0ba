import type { Deps } from "#src/deps.ts";
import {
  itemsDied,
  processItems,
  processTask,
  splitRun,
  splitTask,
} from "#src/features/processing/mod.ts";
import { failRun } from "#src/features/runs/mod.ts";
import { folderTask, processFolder } from "#src/features/schedules/mod.ts";
import { consumer } from "#workers/consumer.ts";

/** A file somebody still writes is left for the next time. */
const SETTLE_MS = 2_000;

export function processingConsumers(deps: Deps) {
  return [
    consumer(
      splitTask,
      ({ runId }, { signal }) => splitRun(deps, runId, signal),
      ({ runId }, reason) => failRun(deps, runId, reason),
    ),
    consumer(
      processTask,
      (range, { signal }) => processItems(deps, range, signal),
      (range, reason) => itemsDied(deps, range, reason),
    ),
    consumer(folderTask, async ({ template }) => {
      await processFolder(deps, template, {
        startedBy: `schedule of ${template}`,
        settleMs: SETTLE_MS,
      });
    }),
  ];
}
