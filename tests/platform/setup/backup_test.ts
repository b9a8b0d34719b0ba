import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { fileURLToPath } from "node:url";
import { systemClock } from "#src/adapters/clock/system.ts";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { readMigrations } from "#src/adapters/postgres/migrate.ts";
import { migratedSchema } from "#src/adapters/postgres/schema.ts";
import { backup, restore } from "#src/platform/setup/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Database, getRows } from "#src/ports/db.ts";
import { deps, embeddedTestDatabase, postgresUrl, testDatabase } from "#tests/support/db.ts";
import { contents, fillTables } from "#tests/support/filled.ts";
import { longTest } from "#tests/support/long.ts";
import { openPgliteInMemory } from "#tests/support/memory_database.ts";
import postgres from "postgres";

const MIGRATIONS = fileURLToPath(new URL("../../../drizzle/migrations/", import.meta.url));
const vault = aesVault("a key of the tests, which is long enough");

const getSchema = async () =>
  migratedSchema(await readMigrations(MIGRATIONS), () => Promise.reject(new Error("unused")));

async function backedUp({ db }: Database): Promise<string> {
  let text = "";
  const deps = {
    clock: systemClock,
    db,
    vault,
    settings: { version: "0" },
    schema: await getSchema(),
  };
  await backup(deps, (more) => {
    text += more;
    return Promise.resolve();
  });
  return text;
}

async function* linesIn(text: string) {
  yield* text.split("\n").filter(Boolean);
}

/** Opens a database that is completely empty, without a schema. */
async function emptyOnServer(): Promise<Database> {
  const admin = postgres(postgresUrl ?? "", { max: 1, onnotice: () => {} });
  const name = `passerelle_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await admin.unsafe(`create database ${name}`);
  const open = openPostgres(
    Object.assign(new URL(postgresUrl ?? ""), { pathname: `/${name}` }).href,
  );
  return {
    ...open,
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]();
      await admin.unsafe(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

const EMPTY = { embedded: openPgliteInMemory, server: emptyOnServer };

Deno.test({
  name:
    "a backup of either database, restored into an empty one of either kind, has every row and every number",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    for (const from of [embeddedTestDatabase, () => testDatabase(postgresUrl)]) {
      await using source = await from();
      const filled = await fillTables(source.db);
      assert(filled.length > 40, `only ${filled.length} tables have rows`);
      await source.db.execute(sql`update installations set sending_off_at = null`);
      const before = await contents(source.db);
      const text = await backedUp(source);
      assertEquals(await contents(source.db), before);
      for (const open of Object.values(EMPTY)) {
        await using target = await open();
        const schema = await getSchema();
        const done = await restore({ db: target.db, vault, schema }, linesIn(text));
        assertEquals(done.opens, true);
        const off = await target.db.execute(
          sql`update installations set sending_off_at = null where sending_off_at is not null returning 1`,
        );
        assert(getRows(off).length > 0, "a restored copy sends nothing");
        assertEquals(await contents(target.db), before);
        const again = () => restore({ db: target.db, vault, schema }, linesIn(text));
        await assertRejects(again, AppError, "The database is not empty");
        const triggers = await target.db.execute(
          sql`select 1 from pg_trigger where not tgisinternal and tgenabled = 'D'`,
        );
        assertEquals(getRows(triggers), []);
      }
    }
  },
});

longTest("a truncated, changed or foreign backup leaves the database empty", async () => {
  await using source = await embeddedTestDatabase();
  await fillTables(source.db, 2);
  const text = await backedUp(source);
  const lines = text.split("\n").filter(Boolean);
  const schema = await getSchema();
  const row = lines.findIndex((it) => it.startsWith("["));
  const table = lines.findIndex((it) => it.startsWith('{"table"'));
  const end = lines.findIndex((it) => it.startsWith('{"end"'));
  const damaged: readonly (readonly [string, RegExp])[] = [
    ['{"format":"passerelle-backup-1"}', /no backup/],
    [lines.toSpliced(table, end - table + 1).join("\n"), /^The backup is damaged: \{"done"/],
    [lines.toSpliced(end, 1).join("\n"), /^The backup is damaged: \{"done"/],
    ...['{"table":"users"}', '{"table":1,"columns":[]}', '{"sequences":5}', '{"end":null}', "{}"]
      .map((it) => [lines.toSpliced(row, 0, it).join("\n"), /^The backup is damaged: \{/] as const),
    ["", /no backup/],
    ['{"format":"other"}', /no backup/],
    [lines.slice(0, -1).join("\n"), /cut off/],
    [lines.slice(0, row + 1).join("\n"), /cut off/],
    [lines.toSpliced(row, 1).join("\n"), /came out differently/],
    [lines.toSpliced(row, 0, lines[row] ?? "").join("\n"), /^The backup is damaged: duplicate/],
    [lines.toSpliced(row, 0, "null").join("\n"), /^The backup is damaged: null/],
    [text.replace('"table":"users"', '"table":"pg_class"'), /There is no table pg_class/],
    [text.replace('{"end"', '{"end'), /damaged/],
    [text.replace(/\["0001","\w{4}/, '["0001","beef'), /Migration 0001 is not one of this version/],
  ];
  await using target = await openPgliteInMemory();
  for (const [broken, message] of damaged) {
    const error = await assertRejects(
      () => restore({ db: target.db, vault, schema }, linesIn(broken)),
    );
    assert(message.test(String((error as Error).message)), `${message}: ${error}`);
    assertEquals(await contents(target.db), { sequences: [] });
  }
  const other = aesVault("another key of the tests, long enough");
  const done = await restore({ db: target.db, vault: other, schema }, linesIn(text));
  assertEquals(done.opens, false);
});
