import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import { z } from "zod";
import type { TaskQueueOptions } from "#src/adapters/bullmq/parts.ts";
import { bullmqTaskQueue } from "#src/adapters/bullmq/task_queue.ts";
import type { Broker } from "#src/adapters/bullmq/brokers.ts";
import type { Database } from "#src/ports/db.ts";
import type { Attempt, Task } from "#src/ports/task_queue.ts";
import { consumer } from "#workers/consumer.ts";
import { silentLog } from "#tests/support/log.ts";

export const FAST: TaskQueueOptions = {
  leaseMs: 1_000,
  retryBaseMs: 20,
  retryCapMs: 100,
  pollMs: 50,
  relayTimeoutMs: 1_000,
  deaths: 2,
};

export const greet: Task<{ to: string }> = {
  name: "greet",
  queue: "jobs",
  payload: z.object({ to: z.string() }),
  attempts: 3,
};

export interface Setting {
  readonly database: Database;
  readonly broker: Broker;
}

type Handle = (payload: { to: string }, attempt: Attempt) => Promise<void>;

/** Starts a queue with one consumer; `stop` ends it and waits. */
export function running(
  { database, broker }: Setting,
  handle: Handle,
  dead?: (payload: { to: string }, reason: Sentence) => Promise<void>,
  clock: TaskQueueOptions = FAST,
) {
  const queue = bullmqTaskQueue({ database, broker, log: silentLog, options: clock });
  const ending = new AbortController();
  const again = consumer({ ...greet, name: "greet_again", recurs: true }, handle);
  const done = queue.run([consumer(greet, handle, dead), again], {
    signal: ending.signal,
    queues: ["jobs"],
    concurrency: { jobs: 4 },
  });
  return {
    queue,
    add: (to: string, options = {}) =>
      database.db.transaction((tx) => queue.enqueue(tx, greet, { to }, options)),
    async stop() {
      ending.abort();
      await done;
    },
  };
}
