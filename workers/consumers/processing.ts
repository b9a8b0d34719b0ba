import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import {
  itemsDied,
  processItems,
  processTask,
  splitRun,
  splitTask,
} from "#src/features/processing/mod.ts";
import { failRun } from "#src/features/runs/mod.ts";
import { folderTask, processFolderDue } from "#src/features/schedules/mod.ts";
import { consumer } from "#workers/consumer.ts";

export function processingConsumers(deps: Deps) {
  return [
    consumer(
      splitTask,
      ({ runId }, { signal }) => splitRun(deps, runId, signal),
      ({ runId }, reason) => failRun(deps, runId, say`${reason}`),
    ),
    consumer(
      processTask,
      (range, { signal }) => processItems(deps, range, signal),
      (range, reason) => itemsDied(deps, range, reason),
    ),
    consumer(folderTask, ({ template }) => processFolderDue(deps, template)),
  ];
}
