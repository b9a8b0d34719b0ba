import { assertEquals, assertRejects } from "@std/assert";
import { type SQL, sql } from "drizzle-orm";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPgliteInMemory } from "#tests/support/memory_database.ts";
import {
  currentVersion,
  migrateDown,
  migrateUp,
  readMigrations,
} from "#src/adapters/postgres/migrate.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { embeddedTestDatabase, postgresUrl, testDatabase } from "#tests/support/db.ts";
import { declaredSchema } from "#tests/support/declared_schema.ts";
import { inFolder } from "#tests/support/folder.ts";

const MIGRATIONS = fileURLToPath(new URL("../drizzle/migrations/", import.meta.url));

Deno.test("the migrations make the tables, types, defaults, constraints and indexes the code declares", async () => {
  await using migrated = await embeddedTestDatabase();
  await using declared = await openPgliteInMemory();
  for (const statement of declaredSchema()) await declared.db.execute(sql.raw(statement));
  for (const what of [COLUMNS, CONSTRAINTS, INDEXES]) {
    const [made, wanted] = await Promise.all(
      [migrated, declared].map((it) => readLines(it.db, what)),
    );
    assertEquals(
      {
        lacks: wanted?.filter((it) => !made?.includes(it)),
        more: made?.filter((it) => !wanted?.includes(it)),
      },
      { lacks: [], more: [] },
    );
  }
});

Deno.test("every migration can be undone, and done again", async () => {
  await using database = await openPgliteInMemory();
  const migrations = await readMigrations(MIGRATIONS);
  const applied = await migrateUp(database.db, migrations);
  const before = await readLines(database.db, COLUMNS);
  for (const version of [...applied].reverse()) {
    assertEquals(await migrateDown(database.db, migrations, String(Number(version) - 1)), [
      version,
    ]);
  }
  assertEquals(await readLines(database.db, COLUMNS), []);
  assertEquals(await migrateUp(database.db, migrations), applied);
  assertEquals(await readLines(database.db, COLUMNS), before);
  assertEquals(await migrateUp(database.db, migrations), []);
  assertEquals(await currentVersion(database.db), applied.at(-1));
});

Deno.test("large texts are compressed with lz4 where the server has it, and log lines not at all where it has not", async () => {
  const store = async (db: Db) => {
    const found = await db.execute(
      sql`select attname as name, attcompression as by, attstorage as storage
      from pg_attribute where attrelid in ('invoice_documents'::regclass, 'log_batches'::regclass)
      and attname in ('content', 'lines') order by attname`,
    );
    return getRows<{ name: string; by: string; storage: string }>(found)
      .map((it) => `${it.name} ${it.storage}${it.by}`);
  };
  await using embedded = await embeddedTestDatabase();
  assertEquals(await store(embedded.db), ["content x", "lines e"]);
  if (postgresUrl === undefined) return;
  await using server = await testDatabase(postgresUrl);
  const lz4 = await server.db.execute(
    sql`select 'lz4' = any(enumvals) as has from pg_settings where name = 'default_toast_compression'`,
  );
  const has = getRows<{ has: boolean }>(lz4)[0]?.has;
  assertEquals(
    await store(server.db),
    has ? ["content xl", "lines xl"] : ["content x", "lines e"],
  );
});

Deno.test("a migration that was changed after it was applied, or comes too late, stops the start by name", async () => {
  await using database = await openPgliteInMemory();
  const first = { version: "0001", name: "first", up: "create table a ()", down: undefined };
  const second = { version: "0002", name: "second", up: "create table b ()", down: undefined };
  const late = { version: "0001", name: "late", up: "create table c ()", down: undefined };
  await migrateUp(database.db, [first]);
  await assertRejects(
    () => migrateUp(database.db, [{ ...first, up: "create table a (b int)" }, second]),
    AppError,
    "Migration 0001_first was changed after it was applied",
  );
  await assertRejects(
    () => migrateDown(database.db, [first], "0"),
    AppError,
    "Version 0001 cannot be undone",
  );
  await database.db.execute(sql`update schema_migrations set version = '0002', name = 'second'`);
  await assertRejects(
    () => migrateUp(database.db, [late, { ...first, version: "0002", name: "second" }]),
    AppError,
    "Migration 0001_late is missing in the database, which is at 0002 already",
  );
});

Deno.test("two migrations of one number are refused, and a down file that cannot be read is no missing one", () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "0001_a.sql"), "select 1");
    await mkdir(join(folder, "0001_a.down.sql"));
    await assertRejects(() => readMigrations(folder), Error, "EISDIR");
    await rm(join(folder, "0001_a.down.sql"), { recursive: true });
    assertEquals((await readMigrations(folder)).map((it) => it.down), [undefined]);
    await writeFile(join(folder, "0001_b.sql"), "select 1");
    await assertRejects(
      () => readMigrations(folder),
      Error,
      "Two migrations have the number 0001",
    );
  }));

const OURS = sql`c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migrations'`;

const COLUMNS = sql`
  select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ||
    case when a.attnotnull then ' not null' else '' end || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
  from pg_class c join pg_attribute a on a.attrelid = c.oid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and ${OURS}`;

const CONSTRAINTS = sql`
  select c.relname || ' ' || pg_get_constraintdef(k.oid) as line
  from pg_constraint k join pg_class c on c.oid = k.conrelid where ${OURS}`;

/** Indexes of constraints have the constraint's name. */
const INDEXES = sql`
  select pg_get_indexdef(i.indexrelid) as line from pg_index i join pg_class c on c.oid = i.indrelid
  where ${OURS} and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`;

async function readLines(db: Db, query: SQL): Promise<string[]> {
  return getRows<{ line: string }>(await db.execute(query)).map((it) => it.line).toSorted();
}
