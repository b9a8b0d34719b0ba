import { assertEquals, assertInstanceOf, assertMatch, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { migrateUp, type Migration } from "#src/adapters/postgres/migrate.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { shippedMigrations } from "#src/compose/database.ts";

/** Newer than all shipped migrations; locks one table after the other. */
const TWO_TABLES: Migration = {
  version: "9990",
  name: "two_tables",
  up: `alter table carts add column colour text;--> statement-breakpoint
    alter table goods add column colour text;`,
  down: undefined,
};

for (
  const { where, up } of [
    {
      where: "by itself",
      up: (db: Db, migrations: readonly Migration[]) => migrateUp(db, migrations),
    },
    { where: "in a transaction that waits briefly", up: inTransaction },
  ]
) {
  Deno.test({
    name:
      `a migration that others wait for while it waits for them begins anew, and none of them fails, ${where}`,
    ...deps("PostgreSQL", postgresUrl),
    async fn() {
      await using home = await testDatabaseUrl(postgresUrl ?? "");
      await using own = openPostgres(home.url, { max: 1 });
      await using other = openPostgres(home.url, { max: 1 });
      await using third = openPostgres(home.url, { max: 1 });
      await own.script("create table carts (id int); create table goods (id int)");
      const migrations = [...await shippedMigrations(), TWO_TABLES];
      const { promise: reading, resolve: tellReading } = Promise.withResolvers<void>();
      const { promise: waits, resolve: tellWaits } = Promise.withResolvers<void>();
      const read = other.db.transaction(async (tx) => {
        // The server looks for a deadlock on behalf of the transaction that waits this long: the migration.
        await tx.execute(sql`set local deadlock_timeout = '60s'`);
        await tx.execute(sql`select from goods`);
        tellReading();
        await waits;
        await tx.execute(sql`select from carts`);
      });
      await reading;
      const migrated = up(own.db, migrations);
      while (!await isAwaited(third.db, "goods")) await new Promise((go) => setTimeout(go, 10));
      tellWaits();
      assertEquals(await migrated, ["9990"]);
      await read;
      await own.db.execute(sql`select colour from carts join goods using (colour)`);
      assertEquals(await lockTimeoutOf(own.db), "0");
    },
  });
}

Deno.test({
  name: "if another process never releases a table, the migration says what to do",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using home = await testDatabaseUrl(postgresUrl ?? "");
    await using own = openPostgres(home.url, { max: 1 });
    await using other = openPostgres(home.url, { max: 1 });
    await using third = openPostgres(home.url, { max: 1 });
    await own.script("create table carts (id int); create table goods (id int)");
    const { promise: reading, resolve: tellReading } = Promise.withResolvers<void>();
    const { promise: waits, resolve: tellWaits } = Promise.withResolvers<void>();
    const { promise: over, resolve: tellOver } = Promise.withResolvers<void>();
    const read = other.db.transaction(async (tx) => {
      await tx.execute(sql`set local deadlock_timeout = '60s'`);
      await tx.execute(sql`select from goods`);
      tellReading();
      await waits;
      await tx.execute(sql`select from carts`);
      await over;
    });
    await reading;
    const migrated = migrateUp(own.db, [...await shippedMigrations(), TWO_TABLES], { tries: 2 })
      .catch((error) => error);
    while (!await isAwaited(third.db, "goods")) await new Promise((go) => setTimeout(go, 10));
    tellWaits();
    const error = await migrated;
    tellOver();
    await read;
    assertInstanceOf(error, AppError);
    assertEquals(error.code, "conflict");
    assertMatch(error.message, /nothing was migrated\. Stop all processes of the product/);
    const applied = await own.db.execute(sql`select from schema_migrations where version = '9990'`);
    assertEquals(getRows(applied).length, 0);
  },
});

/** Migrates in one transaction, like a schema change through HTTP. */
async function inTransaction(db: Db, migrations: readonly Migration[]) {
  return await db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '10s'`);
    const applied = await migrateUp(tx, migrations);
    assertEquals(await lockTimeoutOf(tx), "10s");
    return applied;
  });
}

async function lockTimeoutOf(db: Db): Promise<string | undefined> {
  const rows = getRows<{ lock_timeout: string }>(await db.execute(sql`show lock_timeout`));
  return rows[0]?.lock_timeout;
}

async function isAwaited(db: Db, table: string): Promise<boolean> {
  const found = await db.execute(sql`select from pg_locks
    where not granted and relation = ${table}::regclass`);
  return getRows(found).length > 0;
}

Deno.test({
  name: "a user who does not own the tables reads that they belong to another user",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using home = await testDatabaseUrl(postgresUrl ?? "");
    await using owner = openPostgres(home.url, { max: 1 });
    const role = `t_${crypto.randomUUID().slice(0, 8)}`;
    await owner.script(`create table carts (id int); create table goods (id int);
      create role ${role} login password 'poor'; grant all on schema public to ${role};
      grant all on all tables in schema public to ${role};`);
    try {
      const url = Object.assign(new URL(home.url), { username: role, password: "poor" });
      await using other = openPostgres(url.href, { max: 1 });
      const migrations = [...await shippedMigrations(), TWO_TABLES];
      const error = await assertRejects(() => migrateUp(other.db, migrations), AppError);
      assertEquals(error.code, "refused");
      assertMatch(error.message, /which somebody else made.*\(must be owner of table carts\)$/);
    } finally {
      await owner.script(`drop owned by ${role}; drop role ${role}`);
    }
  },
});
