import { drizzle } from "drizzle-orm/node-postgres";
import * as schema from "#drizzle/schema/mod.ts";
import type { Database } from "#src/ports/db.ts";
import { pgListener } from "./listener.ts";
import { openClient, openPool, type PoolOptions } from "./pool.ts";

/** PostgreSQL 15+ through node-postgres. */
export function openPostgres(url: string, options: Partial<PoolOptions> = {}): Database {
  const pool = openPool(url, { max: 10, ...options });
  const listener = pgListener(() => openClient(url));
  return {
    db: drizzle({ client: pool, schema, casing: "snake_case" }),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      most: pool.options.max ?? 0,
    }),
    embedded: false,
    listen: listener.listen,
    async script(text) {
      await pool.query(text);
    },
    async [Symbol.asyncDispose]() {
      await listener.close();
      if (!pool.ending) await pool.end();
    },
  };
}
