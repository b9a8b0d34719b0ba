import { computeSha256 } from "#src/kernel/sha256.ts";
import { fileURLToPath } from "node:url";
import {
  type Broker,
  pgliteBroker,
  postgresBroker,
  redisBroker,
} from "#src/adapters/bullmq/brokers.ts";
import { releaseAllLeases } from "#src/adapters/bullmq/task_deaths.ts";
import type { EmbeddedDatabase, Opening } from "#src/adapters/pglite/database.ts";
import type { StartedPglite } from "#src/adapters/pglite/client.ts";
import { copyPrepared, holdsCluster, keepPrepared } from "#src/adapters/pglite/prepared_cluster.ts";
import { markClock } from "#src/adapters/postgres/clock_mark.ts";
import { keyInFolder } from "#src/adapters/crypto/vault.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { embeddedReader, readerStatement, serverReader } from "#src/adapters/pools/reader.ts";
import {
  migrateUp,
  type Migration,
  pendingMigrations,
  readMigrations,
} from "#src/adapters/postgres/migrate.ts";
import type { Config } from "#src/config/config.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { movedTo } from "./moved.ts";
import { databaseFolder } from "./private_folder.ts";
import { reachServer } from "./server.ts";
import { type Database, type Db, takesNoWrites } from "#src/ports/db.ts";
import type { DatabasePool } from "#src/ports/pool.ts";
import manifest from "../../package.json" with { type: "json" };

const MIGRATIONS = fileURLToPath(new URL("../../drizzle/migrations/", import.meta.url));

/** Reads the shipped migrations, lowest number first. */
export const shippedMigrations = () => readMigrations(MIGRATIONS);

/** Opens the embedded database. The import is dynamic, so processes that use a server do not load PGlite. */
export async function openPglite(
  folder: string,
  opening?: Opening,
): Promise<EmbeddedDatabase<StartedPglite>> {
  return await (await import("#src/adapters/pglite/database.ts")).openPglite(folder, opening);
}

/**
 * Opens the embedded database. An empty folder starts from a copy of the cluster that an earlier first start prepared.
 */
export async function openEmbedded(
  config: Pick<Config, "cacheDir" | "privateDir">,
  migrations: readonly Migration[],
  opening: Opening = {},
): Promise<{ database: EmbeddedDatabase<StartedPglite>; broker: Broker }> {
  const folder = databaseFolder(config);
  const prepared = { cacheDir: config.cacheDir, name: getName(migrations) };
  const isToKeep = !holdsCluster(folder) && !await copyPrepared(prepared, folder);
  const database = await openPglite(folder, opening);
  await migrateUp(database.db, migrations);
  const broker = await pgliteBroker(database.client);
  if (isToKeep) {
    await database.client.exec("checkpoint");
    await keepPrepared(prepared, folder).catch(() => {}); // a cache that cannot be written only costs time
  }
  return { database, broker };
}

/** Returns a name derived from every input of the prepared cluster. */
function getName(migrations: readonly Migration[]): string {
  const { "@electric-sql/pglite": pglite, bullmq } = manifest.dependencies;
  const made = JSON.stringify([pglite, bullmq, migrations.map((it) => [it.version, it.up])]);
  return computeSha256(made).slice(0, 16);
}

/** Opens the pool that reads the product's own database; `secret` is the installation's. */
export type OwnPoolFactory = (secret: string) => Promise<DatabasePool>;

/** Opens the database, migrates its schema and opens its broker. */
export async function openData(
  config: Config,
  { migrate, ...opening }: Opening & { readonly migrate: boolean },
): Promise<{ database: Database; broker: Broker; reader: OwnPoolFactory }> {
  const migrations = await shippedMigrations();
  const url = config.databaseUrl ?? await movedTo(config);
  if (url === undefined) {
    const { database, broker } = await openEmbedded(config, migrations, opening);
    await markClock(database.db, opening.log);
    await releaseAllLeases(database.db, config.queue);
    return { database, broker, reader: () => embeddedReader(database.client) };
  }
  const database = openPostgres(url, {
    max: 10 + config.concurrency.processing + config.concurrency.submission,
  });
  try {
    await reachServer(database.db, url);
    if (migrate) await migrateUp(database.db, migrations);
    else await checkMigrated(database, migrations);
    await markClock(database.db, opening.log).catch((error) => {
      if (!takesNoWrites(error)) throw error;
    });
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  const broker = config.redisUrl
    ? await redisBroker(config.redisUrl, config.queue.prefix)
    : await postgresBroker(url);
  const given = config.reach.pools.get(OWN_POOL);
  const reader: OwnPoolFactory = (secret) => serverReader(database.db, { url, given, secret });
  return { database, broker, reader };
}

/**
 * Returns the statement that creates the reading role if the product may not create it, else undefined. Nothing is
 * checked for a fleet without `SECRET_KEY`, because it does not start.
 */
export async function missingReader(db: Db, config: Config): Promise<string | undefined> {
  const url = config.databaseUrl ?? await movedTo(config);
  if (url === undefined || config.redisUrl && !config.secretKey) return undefined;
  const secret = config.secretKey ?? await keyInFolder(config.privateDir);
  return await readerStatement(db, { url, given: config.reach.pools.get(OWN_POOL), secret });
}

/** Throws if migrations are pending: queries of missing tables would fail with the database's own messages. */
async function checkMigrated(database: Database, migrations: readonly Migration[]): Promise<void> {
  const pending = await pendingMigrations(database.db, migrations);
  if (pending.length) throw new AppError("misconfigured", migrationsMissing(pending));
}

export function migrationsMissing(pending: readonly string[]): Sentence {
  return say`Apply the migrations that are missing (${pending}): deno task migrate`;
}
