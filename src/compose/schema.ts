import { openPglite } from "#src/adapters/pglite/database.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { currentVersion, migrateDown, migrateUp } from "#src/adapters/postgres/migrate.ts";
import type { Config } from "#src/config/config.ts";
import { databaseFolder, shippedMigrations } from "./database.ts";

/** The schema of the product's database, without the product. Each answer names the versions applied or undone. */
export interface Schema extends AsyncDisposable {
  up(): Promise<readonly string[]>;
  /** Back to a version, which stays. */
  down(version: string): Promise<readonly string[]>;
  version(): Promise<string>;
}

export async function openSchema(config: Config): Promise<Schema> {
  const migrations = await shippedMigrations();
  const database = config.databaseUrl
    ? openPostgres(config.databaseUrl, { max: 1 })
    : await openPglite({ folder: databaseFolder(config) });
  return {
    up: () => migrateUp(database.db, migrations),
    down: (version) => migrateDown(database.db, migrations, version),
    version: () => currentVersion(database.db),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
