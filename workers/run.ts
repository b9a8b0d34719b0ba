import type { Deps } from "#src/deps.ts";
import { unownedTemplates } from "#src/platform/templates/mod.ts";
import type { QueueName } from "#src/ports/task_queue.ts";
import { allConsumers } from "./consumers/mod.ts";
import { SCHEDULES } from "./schedules/mod.ts";

/**
 * Works on the given queues until the signal aborts, then completes running tasks. Every worker runs all schedules; due
 * work is enqueued once.
 */
export async function runWorkers(
  deps: Deps,
  { queues, concurrency, signal }: {
    queues: readonly QueueName[];
    concurrency: Partial<Record<QueueName, number>>;
    signal: AbortSignal;
  },
): Promise<void> {
  const unowned = await unownedTemplates(deps);
  if (unowned.length) deps.log.warn("templates.unowned", { templates: unowned });
  deps.log.info("worker.started", { queues });
  await Promise.all([
    deps.tasks.run(allConsumers(deps), { signal, queues, concurrency }),
    ...Object.values(SCHEDULES).map((schedule) => schedule(deps, signal)),
  ]);
  deps.log.info("worker.stopped");
}
