import {
  createPostgresBackend,
  type Job,
  Queue,
  type QueueOptions,
  runMigrations,
  Worker,
  type WorkerOptions,
} from "bullmq";
import { Redis } from "ioredis";
import type pg from "pg";
import type { PgliteClient } from "#src/adapters/pglite/client.ts";
import { PglitePool } from "#src/adapters/pglite/pool.ts";
import { openPool } from "#src/adapters/postgres/pool.ts";

/** What the broker carries to a worker: which rows of `tasks` to claim. */
export interface Wakeup {
  readonly id: number;
  /** Handed over with it. */
  readonly others?: readonly number[];
  /** It was in hand when a process died; there are no others then. */
  readonly suspect: boolean;
}
type WakeupWorker = Pick<Worker<Wakeup>, "close" | "on">;

/** BullMQ on one of its stores: it wakes workers and shares work out; it is not the record. */
export interface Broker {
  queue(name: string): Queue<Wakeup>;
  worker(
    name: string,
    handle: (job: Job<Wakeup>) => Promise<void>,
    concurrency: number,
  ): WakeupWorker;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A wake-up given to a worker that has died or is frozen wakes nobody; the others look again after this time. */
const LOOK_EVERY_S = 1;

/** No command waits for longer than this, BullMQ's that block included: a connection that says nothing is one no more. */
const SILENT_MS = 15_000;

/** Redis 7, for a fleet. Nothing in it needs to survive; `maxmemory-policy` must be `noeviction`. */
export function redisBroker(url: string, prefix: string): Broker {
  const shared = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: SILENT_MS });
  shared.on("error", () => {}); // reported by whoever uses the connection
  const options: QueueOptions = { connection: shared, prefix };
  return {
    queue: (name) => new Queue(name, options),
    worker: (name, handle, concurrency) =>
      new Worker(name, handle, {
        ...options,
        ...workerOptions(concurrency),
        drainDelay: LOOK_EVERY_S,
      }),
    async ping() {
      if (shared.status !== "ready") throw new Error(`Redis is ${shared.status}`);
      await shared.ping();
    },
    close: () => shared.quit().then(() => {}, () => shared.disconnect()),
  };
}

/** PostgreSQL without Redis, for a single server. */
export async function postgresBroker(url: string): Promise<Broker> {
  const pool = openPool(url, { max: 10, searchPath: "bullmq" });
  pool.setMaxListeners(0);
  const client = await pool.connect();
  await runMigrations(client, "bullmq").finally(() => client.release());
  return { ...onPool(pool), close: () => pool.end() };
}

/** PGlite, embedded: the same session as the data, so the schema is prepared before other traffic. */
export async function pgliteBroker(client: PgliteClient): Promise<Broker> {
  const pool = new PglitePool(client);
  await runMigrations(await pool.connect() as never, "bullmq");
  await client.exec("set search_path to public, bullmq");
  return { ...onPool(pool), close: () => pool.end() };
}

function onPool(pool: PglitePool | pg.Pool): Omit<Broker, "close"> {
  const connection = pool as never; // BullMQ's type names a pg.Pool; its needs are met by both
  return {
    queue: (name) => new Queue(name, { connection }, createPostgresBackend as never),
    worker: (name, handle, concurrency) =>
      new Worker(
        name,
        handle,
        { connection, ...workerOptions(concurrency) },
        createPostgresBackend as never,
      ),
    async ping() {
      await pool.query("select 1");
    },
  };
}

function workerOptions(concurrency: number): Omit<WorkerOptions, "connection"> {
  return {
    concurrency,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
    lockDuration: 30_000,
    stalledInterval: 15_000,
    runRetryDelay: 1_000, // after a lost connection
  };
}
