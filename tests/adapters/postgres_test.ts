import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { breakers } from "#drizzle/schema/peers.ts";
import { databaseClock } from "#src/adapters/postgres/clock.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { getRows } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { silentLog } from "#tests/support/log.ts";

const HOUR = 3_600_000;

Deno.test({
  name: "a transaction in which nothing happens is ended by the server, and its locks pass on",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using home = await testDatabaseUrl(postgresUrl ?? "");
    await using frozen = openPostgres(home.url, { idleTransactionMs: 300 });
    await using other = openPostgres(home.url);
    await other.db.execute(sql`create table till (id int primary key, amount int)`);
    await other.db.execute(sql`insert into till values (1, 10)`);
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
    const { promise: locked, resolve: tellLocked } = Promise.withResolvers<void>();
    const lost = frozen.db.transaction(async (tx) => {
      await tx.execute(sql`update till set amount = 20`);
      tellLocked();
      await thawed;
      await tx.execute(sql`update till set amount = 30`);
    });
    const told = assertRejects(() => lost, Error);
    await locked;
    await other.db.execute(sql`update till set amount = amount + 1`); // waits for the lock
    thaw();
    await told;
    const amount = (on: typeof other) => on.db.execute(sql`select amount from till`).then(getRows);
    assertEquals([...await amount(other)], [{ amount: 11 }], "nothing of the frozen one stays");
    assertEquals([...await amount(frozen)], [{ amount: 11 }], "its pool goes on");
  },
});

const SET_OTHERWISE = {
  datestyle: "German, DMY",
  timezone: "Pacific/Kiritimati",
  default_transaction_isolation: "serializable",
  bytea_output: "escape",
  search_path: "elsewhere",
  jit: "on",
};

Deno.test({
  name: "values, transactions and names are the same on a server with other settings",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using home = await testDatabaseUrl(postgresUrl ?? "");
    await using plain = openPostgres(home.url, { max: 1 });
    await plain.script("create schema elsewhere; create view elsewhere.breakers as select 1 as id");
    for (const [name, value] of Object.entries(SET_OTHERWISE)) {
      await plain.script(
        `alter database ${new URL(home.url).pathname.slice(1)} set ${name} to '${value}'`,
      );
    }
    await using crooked = openPostgres(home.url, { max: 2 });
    const until = new Date("2026-11-12T22:30:00.123Z");
    await crooked.db.insert(breakers).values({ name: "pa", until });
    assertEquals((await crooked.db.select().from(breakers)).map((it) => it.until), [until]);
    const both = await Promise.allSettled([1, 2].map(() =>
      crooked.db.transaction(async (tx) => {
        await tx.select().from(breakers);
        await new Promise((resolve) => setTimeout(resolve, 100));
        await tx.update(breakers).set({ failures: 1 });
      })
    ));
    assertEquals(both.map((it) => it.status), ["fulfilled", "fulfilled"]);
    const [path] = getRows(await crooked.db.execute(sql`show search_path`));
    assertEquals(path, { search_path: "public, elsewhere" }, "extensions may lie there");
    const [jit] = getRows(await crooked.db.execute(sql`show jit`));
    assertEquals(jit, { jit: "off" });
  },
});

Deno.test({
  name: "the limit is a minute where nothing else is said",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using open = openPostgres(postgresUrl ?? "", { max: 1 });
    const result = await open.db.execute(sql`show idle_in_transaction_session_timeout`);
    assertEquals([...getRows(result)], [{ idle_in_transaction_session_timeout: "1min" }]);
  },
});

Deno.test({
  name:
    "a machine whose clock is wrong reads the database's, says so, and a right one is left alone",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using open = openPostgres(postgresUrl ?? "", { max: 1 });
    const told: unknown[] = [];
    const log: Log = { ...silentLog, warn: (event, fields) => void told.push([event, fields]) };
    const clockOff = (offMs: number) =>
      databaseClock({ db: open.db, local: { now: () => new Date(Date.now() + offMs) }, log });
    const distance = (clock: { now(): Date }) => Math.abs(clock.now().getTime() - Date.now());
    for (const offMs of [2 * HOUR, -2 * HOUR]) {
      assert(distance(await clockOff(offMs)) < 500, `corrected by ${offMs} ms`);
    }
    assertEquals(told.length, 2);
    const near = await clockOff(200);
    assert(distance(near) <= 201, "a fifth of a second is no reason to step");
    assertEquals(told.length, 2);
  },
});

Deno.test({
  name: "a statement that comes again is prepared once, and survives a change of its table",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using home = await testDatabaseUrl(postgresUrl ?? "");
    await using open = openPostgres(home.url, { max: 1 });
    const { db } = open;
    await db.execute(sql`create table till (id int primary key, amount int)`);
    await db.execute(sql`insert into till values (1, 10)`);
    const read = async (
      id: number,
    ) => [...getRows(await db.execute(sql`select amount from till where id = ${id}`))];
    const hold = async () =>
      getRows<{ n: number }>(
        await db.execute(sql`select count(*)::int as n from pg_prepared_statements
          where statement like 'select amount from till%'`),
      )[0]?.n;
    assertEquals(await read(1), [{ amount: 10 }]);
    assertEquals(await hold(), 0, "not for one call");
    for (const id of [1, 2, 1]) await read(id);
    assertEquals(await hold(), 1);
    await db.execute(sql`alter table till alter amount type text`);
    const stale = await assertRejects(() => read(1), Error);
    assertEquals((stale.cause as { code: string }).code, "08006", "told as: try again");
    assertEquals(await read(1), [{ amount: "10" }]);
  },
});
