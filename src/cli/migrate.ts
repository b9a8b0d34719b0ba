import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PRIVATE_FOLDER } from "#src/adapters/fs/confine.ts";
import { openPglite } from "#src/adapters/pglite/database.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import {
  currentVersion,
  migrateDown,
  migrateUp,
  readMigrations,
} from "#src/adapters/postgres/migrate.ts";
import { loadConfig } from "#src/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Io } from "../cli.ts";

const MIGRATIONS = fileURLToPath(new URL("../../drizzle/migrations/", import.meta.url));

/** The release step of a fleet; the embedded product does it by itself at each start. */
export async function migrateCommand(
  [direction = "up", target]: readonly string[],
  io: Io,
): Promise<number> {
  const config = loadConfig(io.env);
  const migrations = await readMigrations(MIGRATIONS);
  await using database = config.databaseUrl
    ? openPostgres(config.databaseUrl, { max: 1 })
    : await openPglite({ folder: join(config.dataDir, PRIVATE_FOLDER, "db") });
  if (direction === "up") {
    report(io, "applied", await migrateUp(database.db, migrations));
  } else if (direction === "down" && target !== undefined && /^\d{1,4}$/.test(target)) {
    report(io, "undone", await migrateDown(database.db, migrations, target));
  } else {
    throw new AppError("invalid", "usage: migrate [up | down VERSION]");
  }
  io.out(`The schema is at version ${await currentVersion(database.db)}`);
  return 0;
}

function report(io: Io, word: string, versions: readonly string[]): void {
  for (const version of versions) io.out(`${word} ${version}`);
}
