import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import {
  type Broker,
  pgliteBroker,
  postgresBroker,
  redisBroker,
} from "#src/adapters/bullmq/brokers.ts";
import { releaseAllLeases } from "#src/adapters/bullmq/task_deaths.ts";
import type { EmbeddedDatabase, Opening } from "#src/adapters/pglite/database.ts";
import { copyPrepared, holdsCluster, keepPrepared } from "#src/adapters/pglite/prepared_cluster.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { embeddedReader, serverReader } from "#src/adapters/pools/reader.ts";
import {
  migrateUp,
  type Migration,
  pendingMigrations,
  readMigrations,
} from "#src/adapters/postgres/migrate.ts";
import type { Config } from "#src/config/config.ts";
import { OWN_POOL } from "#src/definitions/pools.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { movedTo } from "./moved.ts";
import { databaseFolder } from "./private_folder.ts";
import { reachServer } from "./server.ts";
import type { Database } from "#src/ports/db.ts";
import type { Pool } from "#src/ports/pool.ts";
import manifest from "../../package.json" with { type: "json" };

const MIGRATIONS = fileURLToPath(new URL("../../drizzle/migrations/", import.meta.url));

/** The migrations that ship, lowest number first. */
export const shippedMigrations = () => readMigrations(MIGRATIONS);

/** The embedded database alone. A process on a server's does without what it needs. */
export async function openPglite(folder: string, opening?: Opening): Promise<EmbeddedDatabase> {
  return await (await import("#src/adapters/pglite/database.ts")).openPglite(folder, opening);
}

/**
 * An empty folder begins with a copy of the cluster that the first start of this version on this machine has prepared; one
 * that holds a cluster may be `begun`.
 */
export async function openEmbedded(
  config: Pick<Config, "cacheDir" | "privateDir">,
  migrations: readonly Migration[],
  opening: Opening = {},
): Promise<{ database: EmbeddedDatabase; broker: Broker }> {
  const folder = databaseFolder(config);
  const prepared = { cacheDir: config.cacheDir, name: nameOf(migrations) };
  const isToKeep = !opening.begun && !holdsCluster(folder) && !await copyPrepared(prepared, folder);
  const database = await openPglite(folder, opening);
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

/** The pool that reads the product's own database; the secret is the installation's. */
export type Reader = (secret: string) => Promise<Pool>;

/** The database, its schema brought up to date, and the broker that goes with it. */
export async function openData(
  config: Config,
  { migrate, ...opening }: Opening & { readonly migrate: boolean },
): Promise<{ database: Database; broker: Broker; reader: Reader }> {
  const migrations = await shippedMigrations();
  const url = config.databaseUrl ?? await movedTo(config);
  if (url === undefined) {
    const { database, broker } = await openEmbedded(config, migrations, opening);
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
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  const broker = config.redisUrl
    ? await redisBroker(config.redisUrl, config.queue.prefix)
    : await postgresBroker(url);
  const given = config.reach.pools.get(OWN_POOL);
  const reader: Reader = (secret) => serverReader(database.db, { url, given, secret });
  return { database, broker, reader };
}

/** What works on tables that are not there fails with words of the database's own. */
async function checkMigrated(database: Database, migrations: readonly Migration[]): Promise<void> {
  const pending = await pendingMigrations(database.db, migrations);
  if (pending.length) throw new AppError("misconfigured", migrationsMissing(pending));
}

export function migrationsMissing(pending: readonly string[]): Sentence {
  return say`Apply the migrations that are missing (${pending}): deno task migrate`;
}
