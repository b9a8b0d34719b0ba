import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  currentVersion,
  migrateUp,
  pendingMigrations,
  readApplied,
} from "#src/adapters/postgres/migrate.ts";
import { migratedSchema } from "#src/adapters/postgres/schema.ts";
import { shippedMigrations } from "#src/compose/database.ts";
import { AppError } from "#src/kernel/errors.ts";
import { schemaLines } from "#src/platform/setup/schema_store.ts";
import { deps, embeddedTestDatabase, emptyDatabase, postgresUrl } from "#tests/support/db.ts";
import { contents, fillTables } from "#tests/support/filled.ts";

// Remove this test and its data with release 0.2.0, as `adopt.ts`.
const OLD_SCHEMA = join(import.meta.dirname ?? ".", "data", "schema_0800.sql");

/** Opens a database of the last version before 0.1.0, with rows in each table. */
async function openOldDatabase(url?: string) {
  const database = await emptyDatabase(url);
  await database.script(await readFile(OLD_SCHEMA, "utf8"));
  const filled = await fillTables(database.db, 2);
  assert(filled.length > 50, `only ${filled.length} tables have rows`);
  return database;
}

for (const [where, url] of [["PGlite", undefined], ["PostgreSQL", postgresUrl]] as const) {
  Deno.test({
    name:
      `a database of the last version before 0.1.0 keeps its rows and gets the baseline, on ${where}`,
    ...where === "PostgreSQL" && deps("PostgreSQL", url),
    async fn() {
      await using database = await openOldDatabase(url);
      await using fresh = await embeddedTestDatabase();
      const { db } = database;
      const migrations = await shippedMigrations();
      const schema = migratedSchema(migrations, () => Promise.reject(new Error("unused")));
      const { invoice_counts: counts, ...rows } = await contents(db);
      assertEquals(counts?.length, 2);
      const versions = migrations.map(({ version }) => version);
      assertEquals(await pendingMigrations(db, migrations), versions);
      const before = await schema.state(db);
      assertEquals(before.pending.map(({ version }) => version), versions);
      assertEquals(new Set(before.applied.map(({ state }) => state)), new Set(["unknown"]));
      const baseline = migrations.filter(({ version }) => version === "0001");
      assertEquals(await migrateUp(db, baseline), ["0001"]);
      assertEquals(await contents(db), rows);
      assertEquals(await migrateUp(db, migrations), versions.slice(1));
      assertEquals(await schemaLines(db), await schemaLines(fresh.db));
      const after = await schema.state(db);
      assertEquals(
        after.applied.map(({ version, state }) => [version, state]),
        versions.map((it) => [it, "applied"]),
      );
      assertEquals(after.pending, []);
      assertEquals(await migrateUp(db, migrations), []);
    },
  });
}

Deno.test("an older database is refused unchanged, with the version to start first", async () => {
  await using database = await openOldDatabase();
  const { db } = database;
  await db.execute(sql`delete from schema_migrations where version > '0780'`);
  const migrations = await shippedMigrations();
  const store = async () => [await readApplied(db), await contents(db), await schemaLines(db)];
  const before = await store();
  for (const attempt of [migrateUp, pendingMigrations]) {
    const error = await assertRejects(() => attempt(db, migrations), AppError);
    assertEquals([error.code, error.message], [
      "conflict",
      "This database is at version 0780, which this release cannot migrate: start the last version before 0.1.0 once, which migrates it to 0800, then start this one",
    ]);
  }
  assertEquals(await store(), before);
  assertEquals(await currentVersion(db), "0780");
});
