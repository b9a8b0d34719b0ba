import type { Deps } from "#src/deps.ts";
import type { QueueName } from "#src/ports/task_queue.ts";
import { allConsumers } from "./consumers/mod.ts";
import { scheduleDocuments } from "./schedules/documents.ts";
import { scheduleHousekeeping } from "./schedules/housekeeping.ts";
import { schedulePolls } from "./schedules/poll.ts";

/** Works on the given queues, and keeps the schedules, until the signal aborts; then ends what is in hand. */
export async function runWorkers(
  deps: Deps,
  { queues, concurrency, signal }: {
    queues: readonly QueueName[];
    concurrency: Partial<Record<QueueName, number>>;
    signal: AbortSignal;
  },
): Promise<void> {
  deps.log.info("worker.started", { queues });
  await Promise.all([
    deps.tasks.run(allConsumers(deps), { signal, queues, concurrency }),
    queues.includes("polling") ? schedulePolls(deps, signal) : Promise.resolve(),
    queues.includes("polling") ? scheduleDocuments(deps, signal) : Promise.resolve(),
    queues.includes("polling") ? scheduleHousekeeping(deps, signal) : Promise.resolve(),
  ]);
  deps.log.info("worker.stopped");
}
