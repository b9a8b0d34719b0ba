import type pg from "pg";
import type { PgliteClient } from "#src/adapters/pglite/client.ts";
import { PglitePool } from "#src/adapters/pglite/pool.ts";
import { openPool } from "#src/adapters/postgres/pool.ts";
import manifest from "../../../package.json" with { type: "json" };
import type { Queues } from "./queues.ts";

/** BullMQ on one of its stores. It wakes workers and distributes tasks; the table stays the record. */
export interface Broker {
  /** Loads BullMQ, 47 modules: only workers need it, so a process that only serves calls loads none of it. */
  open(): Promise<Queues>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Timeout of a silent connection. No command waits longer, not even the blocking ones of BullMQ, so such a
 * connection is dead.
 */
const SILENT_MS = 15_000;
/** BullMQ's workers try again at once, six of them in a process. */
const REFUSAL_MS = 1_000;

/** Redis 7, for a fleet. Nothing in it needs to survive; `maxmemory-policy` must be `noeviction`. */
export async function redisBroker(url: string, prefix: string): Promise<Broker> {
  const { Redis } = await import("ioredis"); // loaded only when Redis is used
  const shared = new Redis(url, { maxRetriesPerRequest: null, socketTimeout: SILENT_MS });
  shared.on("error", () => {}); // the caller using the connection reports it
  return {
    open: async () => (await bullmq()).queuesOnRedis(shared, prefix),
    async ping() {
      if (shared.status !== "ready") throw new Error(`Redis is ${shared.status}`);
      await shared.ping();
    },
    close: () => shared.quit().then(() => {}, () => shared.disconnect()),
  };
}

/** PostgreSQL without Redis, for a single server. */
export async function postgresBroker(url: string): Promise<Broker> {
  const pool = openPool(url, { max: 10, searchPath: "bullmq", refusalMs: REFUSAL_MS });
  pool.setMaxListeners(0);
  const client = await pool.connect();
  const { runMigrations } = await bullmq();
  await runMigrations(client, "bullmq").finally(() => client.release());
  return onPool(pool);
}

/** PGlite, embedded: the same session as the data, so the schema is prepared before other traffic. */
export async function pgliteBroker(client: PgliteClient): Promise<Broker> {
  const pool = new PglitePool(client);
  const { bullmq: version } = manifest.dependencies;
  const { rows } = await client.query<{ version: string | null }>(
    "select obj_description(to_regnamespace('bullmq'), 'pg_namespace') as version",
  );
  if (rows[0]?.version !== version) {
    const { runMigrations } = await bullmq();
    await runMigrations(await pool.connect() as never, "bullmq");
    await client.exec(`comment on schema bullmq is '${version}'`);
  }
  await client.exec("set search_path to public, bullmq");
  return onPool(pool);
}

function onPool(pool: PglitePool | pg.Pool): Broker {
  return {
    open: async () => (await bullmq()).queuesOnPool(pool),
    async ping() {
      await pool.query("select 1");
    },
    close: () => pool.end(),
  };
}

function bullmq() {
  return import("./queues.ts");
}
