import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#src/adapters/clock/system.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { currentVersion, migrateUp } from "#src/adapters/postgres/migrate.ts";
import { migratedSchema } from "#src/adapters/postgres/schema.ts";
import type { Config } from "#src/config/config.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { downgrade } from "#src/platform/setup/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Database } from "#src/ports/db.ts";
import type { DatabaseSchema } from "#src/ports/schema.ts";
import { missingReader, openEmbedded, openPglite, shippedMigrations } from "./database.ts";
import { movedTo } from "./moved.ts";
import { databaseFolder } from "./private_folder.ts";
import { withOpenedVariables } from "./sealed_variables.ts";
import { parseDatabaseUrl, reachServer } from "./server.ts";

/** Schema of the product's database, without the product. Each method returns the versions applied or undone. */
export interface OpenSchema extends AsyncDisposable {
  /** `host:port/name`, or the folder of an embedded database. */
  readonly where: string;
  up(): Promise<readonly string[]>;
  /** Undoes all migrations after `version`. Throws as `downgrade` does. */
  down(version: string, options: { readonly force: boolean }): Promise<readonly string[]>;
  version(): Promise<string>;
  /** Returns the statement that creates the reading role where it is missing and the product may not create it. */
  missingReader(): Promise<string | undefined>;
}

const NO_DISK =
  say`The migrations are applied in a folder of this process to compare, and it may write none; HTTP processes on machines of your own may`;

/** Operator who runs commands on this machine. */
const HERE = { username: "service-admin", roles: [], permissions: permissionSet(["*"]) };

/** Opens the schema. Throws as `reachServer` does. */
export async function openSchema(config: Config): Promise<OpenSchema> {
  const migrations = await shippedMigrations();
  const { database, url } = await openAt(config);
  try {
    if (url !== undefined) await reachServer(database.db, url);
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  const deps = { clock: systemClock, db: database.db, schema: await composeSchema(config) };
  return {
    where: url === undefined ? databaseFolder(config) : parseDatabaseUrl(url).where,
    up: () => migrateUp(database.db, migrations),
    down: (target, { force }) => downgrade(deps, { target, force, by: HERE, behindAudit: true }),
    version: () => currentVersion(database.db),
    missingReader: async () => await missingReader(database.db, await withOpenedVariables(config)),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** Opens the product's database without migrating it. */
export async function openBare(config: Config): Promise<Database> {
  return (await openAt(config)).database;
}

/** Opens the database; `url` is set only for a server. */
async function openAt(config: Config): Promise<{ database: Database; url: string | undefined }> {
  const url = config.databaseUrl ?? await movedTo(config);
  const database = url === undefined
    ? await openPglite(databaseFolder(config))
    : openPostgres(url, { max: 2 });
  return { database, url };
}

/** Returns the shipped migrations in the form that the product reads. */
export async function composeSchema(
  { cacheDir }: Pick<Config, "cacheDir">,
): Promise<DatabaseSchema> {
  const migrations = await shippedMigrations();
  return migratedSchema(migrations, async () => {
    const folder = await mkdtemp(join(tmpdir(), "passerelle-schema-")).catch((cause) => {
      throw new AppError("unavailable", NO_DISK, { cause });
    });
    const { database, broker } = await openEmbedded({ cacheDir, privateDir: folder }, migrations);
    return {
      db: database.db,
      async [Symbol.asyncDispose]() {
        await broker.close();
        await database[Symbol.asyncDispose]();
        await rm(folder, { recursive: true, force: true });
      },
    };
  });
}
