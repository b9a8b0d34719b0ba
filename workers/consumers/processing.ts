import type { Deps } from "#src/deps.ts";
import {
  itemsDied,
  processItems,
  processTask,
  splitRun,
  splitTask,
} from "#src/gateway/processing/mod.ts";
import { failRun } from "#src/gateway/runs/mod.ts";
import { consumer } from "#workers/consumer.ts";

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
  ];
}
