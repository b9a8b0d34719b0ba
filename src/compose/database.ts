import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Broker,
  pgliteBroker,
  postgresBroker,
  redisBroker,
} from "#src/adapters/bullmq/brokers.ts";
import { releaseAllLeases } from "#src/adapters/bullmq/task_deaths.ts";
import { type EmbeddedDatabase, openPglite } from "#src/adapters/pglite/database.ts";
import { copyPrepared, holdsCluster, keepPrepared } from "#src/adapters/pglite/prepared_cluster.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { migrateUp, type Migration, readMigrations } from "#src/adapters/postgres/migrate.ts";
import type { Config } from "#src/config/config.ts";
import type { Database } from "#src/ports/db.ts";
import manifest from "../../package.json" with { type: "json" };

const MIGRATIONS = fileURLToPath(new URL("../../drizzle/migrations/", import.meta.url));

/** The migrations that ship, lowest number first. */
export const shippedMigrations = () => readMigrations(MIGRATIONS);

/** Where the embedded database lies. */
export const databaseFolder = ({ privateDir }: Pick<Config, "privateDir">) =>
  join(privateDir, "db");

/** An empty folder begins with a copy of the cluster that the first start of this version on this machine has prepared. */
export async function openEmbedded(
  config: Pick<Config, "cacheDir" | "privateDir">,
  migrations: readonly Migration[],
): Promise<{ database: EmbeddedDatabase; broker: Broker }> {
  const folder = databaseFolder(config);
  const prepared = { cacheDir: config.cacheDir, name: nameOf(migrations) };
  const isToKeep = !holdsCluster(folder) && !await copyPrepared(prepared, folder);
  const database = await openPglite({ folder });
  await migrateUp(database.db, migrations);
  const broker = await pgliteBroker(database.client);
  if (isToKeep) {
    await database.client.exec("checkpoint");
    await keepPrepared(prepared, folder).catch(() => {}); // a cache that cannot be written costs time only
  }
  return { database, broker };
}

/** By all that the prepared cluster was made with. */
function nameOf(migrations: readonly Migration[]): string {
  const { "@electric-sql/pglite": pglite, bullmq } = manifest.dependencies;
  const made = JSON.stringify([pglite, bullmq, migrations.map((it) => [it.version, it.up])]);
  return createHash("sha256").update(made).digest("hex").slice(0, 16);
}

/** The database, its schema brought up to date, and the broker that goes with it. */
export async function openData(
  config: Config,
  migrate: boolean,
): Promise<{ database: Database; broker: Broker }> {
  const migrations = await shippedMigrations();
  if (config.databaseUrl === undefined) {
    const embedded = await openEmbedded(config, migrations);
    await releaseAllLeases(embedded.database.db, config.queue);
    return embedded;
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
