import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import * as schema from "#drizzle/schema/mod.ts";
import { type Database, takesNoWrites } from "#src/ports/db.ts";
import { pgListener } from "./listener.ts";
import { openClient, openPool, type PoolOptions } from "./pool.ts";

/** PostgreSQL 15+ through node-postgres. */
export function openPostgres(url: string, options: Partial<PoolOptions> = {}): Database {
  const pool = openPool(url, { max: 10, ...options });
  const listener = pgListener(() => openClient(url, options.silentMs), options.silentMs);
  const db = through(pool);
  db.transaction = createTransactionRunner(pool);
  return {
    db,
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: pool.options.max ?? 0,
    }),
    embedded: false,
    listen: (channel, callback) => listener.listen(channel, callback),
    async script(text) {
      await pool.query(text);
    },
    async [Symbol.asyncDispose]() {
      await listener.close();
      if (!pool.ending) await pool.end();
    },
  };
}

type Through = NodePgDatabase<typeof schema>;

const through = (client: pg.Pool | pg.PoolClient): Through =>
  drizzle({ client, schema, casing: "snake_case" });

/**
 * Runs transactions that always release their connection. Drizzle keeps it for ever when its `begin` fails (a
 * server that just went away), which would exhaust the pool. It also releases connections as usable whose
 * transaction never ended. A connection to a server that is now read-only is not used again, since another server
 * accepts changes by then.
 */
function createTransactionRunner(pool: pg.Pool): Through["transaction"] {
  const known = new WeakMap<pg.PoolClient, Through>();
  return async (work, config) => {
    const client = await pool.connect();
    let db = known.get(client);
    if (!db) known.set(client, db = through(client));
    let isReader = false;
    try {
      return await db.transaction(work, config);
    } catch (error) {
      isReader = takesNoWrites(error);
      throw error;
    } finally {
      client.release(isReader || client.getTransactionStatus() !== "I");
    }
  };
}
