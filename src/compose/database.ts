import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Broker,
  pgliteBroker,
  postgresBroker,
  redisBroker,
} from "#src/adapters/bullmq/brokers.ts";
import { releaseAllLeases } from "#src/adapters/bullmq/task_rows.ts";
import { openPglite } from "#src/adapters/pglite/database.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { migrateUp, readMigrations } from "#src/adapters/postgres/migrate.ts";
import type { Config } from "#src/config/config.ts";
import type { Database } from "#src/ports/db.ts";

const MIGRATIONS = fileURLToPath(new URL("../../drizzle/migrations/", import.meta.url));

/** The migrations that ship, lowest number first. */
export const shippedMigrations = () => readMigrations(MIGRATIONS);

/** Where the embedded database lies. */
export const databaseFolder = ({ privateDir }: Pick<Config, "privateDir">) =>
  join(privateDir, "db");

/** The database, its schema brought up to date, and the broker that goes with it. */
export async function openData(
  config: Config,
  migrate: boolean,
): Promise<{ database: Database; broker: Broker }> {
  const migrations = await shippedMigrations();
  if (config.databaseUrl === undefined) {
    const database = await openPglite({ folder: databaseFolder(config) });
    await migrateUp(database.db, migrations);
    await releaseAllLeases(database.db, config.queue);
    return { database, broker: await pgliteBroker(database.client) };
  }
  const database = openPostgres(config.databaseUrl, {
    max: 10 + config.concurrency.processing + config.concurrency.submission,
  });
  if (migrate) await migrateUp(database.db, migrations);
  const broker = config.redisUrl
    ? redisBroker(config.redisUrl, config.queue.prefix)
    : await postgresBroker(config.databaseUrl);
  return { database, broker };
}
