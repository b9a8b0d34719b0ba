import {
  createPostgresBackend,
  type Job,
  Queue,
  type QueueOptions,
  Worker,
  type WorkerOptions,
} from "bullmq";
import type { Redis } from "ioredis";
import type { EventEmitter } from "node:events";
import { delay } from "#src/kernel/delay.ts";
import type pg from "pg";
import type { PglitePool } from "#src/adapters/pglite/pool.ts";

export { runMigrations } from "bullmq";

/** Message of the broker to a worker: the rows of `tasks` to claim. */
export interface Wakeup {
  readonly id: number;
  /** Ids handed over in the same message. */
  readonly others?: readonly number[];
  /** A process died while it worked on it; such a task comes alone. */
  readonly suspect: boolean;
}
type WakeupWorker = Pick<Worker<Wakeup>, "close">;

/** Receiver of errors, and the signal that ends the retries. */
interface Life {
  readonly report: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** BullMQ on its own store. */
export interface Queues {
  queue(name: string, life: Life): Promise<Queue<Wakeup>>;
  worker(
    name: string,
    handle: (job: Job<Wakeup>) => Promise<void>,
    concurrency: number,
    life: Life,
  ): Promise<WakeupWorker>;
}

/** Interval at which workers look for tasks themselves: a wake-up may have gone to a dead or frozen worker. */
const LOOK_EVERY_S = 1;
/** After a lost connection. */
const RETRY_MS = 1_000;

export function queuesOnRedis(connection: Redis, prefix: string): Queues {
  const options: QueueOptions = { connection, prefix };
  return {
    queue: (name, { report }) => Promise.resolve(new Queue(name, options).on("error", report)),
    worker(name, handle, concurrency, { report }) {
      const waits = { ...workerOptions(concurrency), drainDelay: LOOK_EVERY_S };
      const worker = new Worker(name, handle, { ...options, ...waits });
      return Promise.resolve(worker.on("error", report));
    },
  };
}

export function queuesOnPool(pool: PglitePool | pg.Pool): Queues {
  const connection = pool as never; // BullMQ's type names a pg.Pool; its needs are met by both
  const backend = createPostgresBackend as never;
  return {
    queue: (name, life) =>
      atHome(
        pool,
        life,
        () => new Queue<Wakeup>(name, { connection }, backend).on("error", life.report),
      ),
    async worker(name, handle, concurrency, life) {
      const options = { connection, autorun: false, ...workerOptions(concurrency) };
      const worker = await atHome(
        pool,
        life,
        () => new Worker<Wakeup>(name, handle, options, backend).on("error", life.report),
      );
      if (!life.signal.aborted) worker.run().catch(life.report);
      return worker;
    },
  };
}

/**
 * Creates a queue or worker that has found its tables. BullMQ remembers a failed first look for ever: the queue
 * then accepts nothing, and the worker loops without a pause and blocks its process. This function replaces it
 * until the look succeeds.
 */
async function atHome<Made extends Pick<Queue | Worker, "waitUntilReady" | "close">>(
  pool: EventEmitter,
  { report, signal }: Life,
  make: () => Made,
): Promise<Made> {
  for (;;) {
    const others = pool.listeners("error");
    const made = make();
    const its = pool.listeners("error").filter((it) => !others.includes(it));
    try {
      await made.waitUntilReady();
      return made;
    } catch (error) {
      report(error as Error);
      await made.close().catch(() => {});
      for (const it of its) pool.off("error", it as () => void); // BullMQ leaves the listener there, and with it the whole object
      await delay(RETRY_MS, signal);
      if (signal.aborted) return made;
    }
  }
}

function workerOptions(concurrency: number): Omit<WorkerOptions, "connection"> {
  return {
    concurrency,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    lockDuration: 30_000,
    stalledInterval: 15_000,
    runRetryDelay: RETRY_MS,
  };
}
