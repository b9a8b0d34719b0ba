import type { Deps } from "#src/deps.ts";
import type { QueueName } from "#src/ports/task_queue.ts";
import { allConsumers } from "./consumers/mod.ts";
import { scheduleDocuments } from "./schedules/documents.ts";
import { scheduleHousekeeping } from "./schedules/housekeeping.ts";
import { schedulePolls } from "./schedules/poll.ts";
import { scheduleTurns } from "./schedules/turns.ts";

/**
 * Works on the given queues until the signal aborts, then ends what is in hand. Every worker keeps the schedules,
 * whatever it serves: what is due is enqueued once.
 */
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
    schedulePolls(deps, signal),
    scheduleDocuments(deps, signal),
    scheduleHousekeeping(deps, signal),
    scheduleTurns(deps, signal),
  ]);
  deps.log.info("worker.stopped");
}
