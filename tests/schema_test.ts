import { assertEquals } from "@std/assert";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { sql } from "drizzle-orm";
import { fileURLToPath } from "node:url";
import * as schema from "#drizzle/schema/mod.ts";
import { openPglite } from "#src/adapters/pglite/database.ts";
import {
  currentVersion,
  migrateDown,
  migrateUp,
  readMigrations,
} from "#src/adapters/postgres/migrate.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import { embeddedTestDatabase } from "#tests/support/db.ts";

const MIGRATIONS = fileURLToPath(new URL("../drizzle/migrations/", import.meta.url));

Deno.test("the migrations make exactly the tables and columns the code knows", async () => {
  await using database = await embeddedTestDatabase();
  const known = Object.values(schema).filter((it) => it instanceof PgTable).flatMap((table) => {
    const { name, columns } = getTableConfig(table as PgTable);
    return columns.map((column) =>
      `${name}.${snake(column.name)} ${column.notNull ? "not null" : "null"}`
    );
  });
  assertEquals(await columnsOf(database.db), known.toSorted());
});

Deno.test("every migration can be undone, and done again", async () => {
  await using database = await openPglite();
  const migrations = await readMigrations(MIGRATIONS);
  const applied = await migrateUp(database.db, migrations);
  const before = await columnsOf(database.db);
  for (const version of [...applied].reverse()) {
    assertEquals(await migrateDown(database.db, migrations, String(Number(version) - 1)), [
      version,
    ]);
  }
  assertEquals(await columnsOf(database.db), []);
  assertEquals(await migrateUp(database.db, migrations), applied);
  assertEquals(await columnsOf(database.db), before);
  assertEquals(await migrateUp(database.db, migrations), []);
  assertEquals(await currentVersion(database.db), applied.at(-1));
});

async function columnsOf(db: Db): Promise<string[]> {
  const result = await db.execute(sql`
    select table_name, column_name, is_nullable from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_migrations'`);
  return rowsOf<{ table_name: string; column_name: string; is_nullable: string }>(result)
    .map((it) =>
      `${it.table_name}.${it.column_name} ${it.is_nullable === "YES" ? "null" : "not null"}`
    ).toSorted();
}

/** Drizzle names a column as the code does until it writes SQL. */
function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
