import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { type Db, getRows, isAway } from "#src/ports/db.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { networkTo } from "#tests/support/network.ts";
import { until } from "#tests/support/until.ts";

const SILENT_MS = 200;

const sleep = async (db: Db, seconds: number) =>
  getRows<{ it: string }>(
    await db.execute(sql`select 'slept' as it from pg_sleep(${seconds}::double precision)`),
  )[0]?.it;

Deno.test({
  name:
    "connections that fall silent are ended, whatever they wait for; a statement that takes long is not",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using network = await networkTo(postgresUrl ?? "");
    const url = network.through(postgresUrl ?? "");
    await using open = openPostgres(url, { max: 3, silentMs: SILENT_MS, connectMs: 1_000 });
    const heard: string[] = [];
    await open.listen("silence", (payload) => heard.push(payload));
    assertEquals(await sleep(open.db, 5 * SILENT_MS / 1000), "slept");

    const { promise: inside, resolve: tellInside } = Promise.withResolvers<void>();
    const { promise: silent, resolve: tellSilent } = Promise.withResolvers<void>();
    const lost = (work: () => Promise<unknown>) => assertRejects(work, Error);
    const failing = Promise.all([
      lost(() => sleep(open.db, 0.1)),
      lost(() =>
        open.db.transaction(async (tx) => {
          await tx.execute(sql`select 1`);
          tellInside();
          await silent;
          await tx.execute(sql`select 1`);
        })
      ),
    ]);
    await inside;
    network.fallSilent();
    tellSilent();
    for (const error of await failing) assert(isAway(error), Deno.inspect(error));
    assertEquals(await sleep(open.db, 0), "slept", "the pool goes on");
    await until(
      () => heard.includes(""),
      "whoever listens to be told that something may be missed",
    );
    await open.db.execute(sql`notify silence, 'again'`);
    await until(() => heard.includes("again"), "the listener to hear again");
    assertEquals(open.connections?.().used, 0);
  },
});
