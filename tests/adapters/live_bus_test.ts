import type { LiveEventType } from "#src/ports/live_bus.ts";
import { assert, assertEquals } from "@std/assert";
import postgres from "postgres";
import { sql } from "drizzle-orm";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import type { Database, Db } from "#src/ports/db.ts";
import { deps, postgresUrl, testDatabase } from "#tests/support/db.ts";
import { silentLog } from "#tests/support/log.ts";
import { until } from "#tests/support/until.ts";

/** Follows a bus and collects its events. */
async function follow() {
  const database = await testDatabase(postgresUrl ?? "");
  const bus = tableLiveBus({ database, log: silentLog, pollMs: 50 });
  const heard: string[] = [];
  const ids: string[] = [];
  bus.subscribe(({ type, id }) => {
    heard.push(type);
    ids.push(id);
  });
  const stop = new AbortController();
  const begun = Promise.withResolvers<void>();
  const running = bus.run(stop.signal, begun.resolve);
  await begun.promise;
  return {
    bus,
    db: database.db,
    heard,
    ids,
    tell: (type: string, db: Db = database.db) =>
      bus.publish(db, {
        topic: "config",
        type: type as LiveEventType,
        data: {},
        permission: "live:read",
      }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Opens a transaction in another database of the same server; it has written and does not end. */
async function elsewhere() {
  const other = postgres(postgresUrl ?? "", { max: 1, onnotice: () => {} });
  await other`begin`;
  await other`select pg_current_xact_id()`;
  return { [Symbol.asyncDispose]: () => other.end() };
}

Deno.test({
  name: "a long transaction of another database of the server holds no event back",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using it = await follow();
    await it.tell("zero");
    await until(() => it.heard.length === 1, "an event");
    const position = it.ids[0] ?? "";
    await using _long = await elsewhere();
    await it.tell("one");
    await until(() => it.heard.length === 2, "the event");
    await it.tell("two");
    await until(() => it.heard.length === 3, "the next event");
    const since = await it.bus.since(position, 10);
    assertEquals(
      since?.map(({ type }) => type),
      ["one", "two"],
      "who comes back misses none of them",
    );
  },
});

Deno.test({
  name: "an event whose transaction commits late is not skipped during other transactions",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using it = await follow();
    await using _long = await elsewhere();
    await it.db.transaction(async (tx) => {
      await tx.execute(sql`select pg_current_xact_id()`); // its position in the order
      await it.tell("later");
      // By now the bus has polled several times during this transaction.
      for (let n = 0; n < 20; n++) await it.db.execute(sql`select pg_sleep(0.05)`);
      assertEquals(it.heard, []);
      await it.tell("sooner", tx);
    });
    await until(() => it.heard.length === 2, "both events");
    assertEquals(it.heard, ["sooner", "later"]);
  },
});

Deno.test({
  name: "a client with the position of a future event must read again",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using it = await follow();
    await it.tell("zero");
    await until(() => it.heard.length === 1, "an event");
    assertEquals(await it.bus.since(it.ids[0] ?? "", 10), []);
    assertEquals(await it.bus.since("999999999999999-1", 10), undefined);
  },
});

Deno.test("while events are released again and again they are read together, not without a pause", async () => {
  const stop = new AbortController();
  let asked = 0;
  // Another transaction is open, and each poll confirms more of the events that were held back.
  const execute = () => {
    if (++asked === 41) stop.abort();
    const next = String(asked);
    return Promise.resolve([{ next, settled: next, held: true, xid: null, id: null }]);
  };
  const database = { db: { execute }, listen: () => Promise.resolve(() => Promise.resolve()) };
  const bus = tableLiveBus({
    database: database as unknown as Database,
    log: silentLog,
    pollMs: 1,
  });
  const began = performance.now();
  await bus.run(stop.signal);
  assert(performance.now() - began > 500, "some twenty rounds of 50 ms at least");
});
