import { assert, assertEquals } from "@std/assert";
import { postgresBroker } from "#src/adapters/bullmq/brokers.ts";
import { queuesOnPool } from "#src/adapters/bullmq/queues.ts";
import { openPool } from "#src/adapters/postgres/pool.ts";
import { deps, postgresUrl, testDatabase, testDatabaseUrl } from "#tests/support/db.ts";
import { networkTo } from "#tests/support/network.ts";
import { until } from "#tests/support/until.ts";
import { running } from "./running_queue.ts";

/** Queue that greets people. Its broker's store is behind a network that can be cut; its own database is not. */
async function greeter() {
  await using parts = new AsyncDisposableStack();
  const url = postgresUrl ?? "";
  const database = parts.use(await testDatabase(url));
  const store = parts.use(await testDatabaseUrl(url));
  const network = parts.use(await networkTo(store.url));
  const broker = parts.adopt(
    await postgresBroker(network.through(store.url)),
    (it) => it.close(),
  );
  const greeted: string[] = [];
  const all = parts.move();
  return {
    network,
    greeted,
    run: () => running({ database, broker }, ({ to }) => Promise.resolve(void greeted.push(to))),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

Deno.test({
  name:
    "workers that begin while their store is away work once it is back, and the process goes on",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using it = await greeter();
    const { network, greeted } = it;
    network.refuse(true);
    const queue = it.run();
    const refused = network.opened();
    await until(() => network.opened() > refused, "a first look at the store");
    await queue.add("Ada");
    network.refuse(false);
    await until(() => greeted.length > 0, "the work");
    assertEquals(greeted, ["Ada"]);
    await queue.stop();
  },
});

Deno.test({
  name: "an unavailable store is polled at intervals, not constantly",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using it = await greeter();
    const { network, greeted } = it;
    const queue = it.run();
    await queue.add("Ada");
    await until(() => greeted.length === 1, "the first work");
    network.refuse(true);
    const [before, began] = [network.opened(), performance.now()];
    const seconds = () => (performance.now() - began) / 1_000;
    await until(() => seconds() > 3 && network.opened() > before, "attempts to reach it");
    const pace = (network.opened() - before) / seconds();
    assert(pace < 10, `${pace} attempts a second, of one queue and one worker`);
    await queue.add("Bea");
    network.refuse(false);
    await until(() => greeted.length === 2, "the work that came meanwhile");
    await queue.stop();
  },
});

Deno.test({
  name: "queues and workers that were tried while their store was away leave nothing behind",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    const url = postgresUrl ?? "";
    await using store = await testDatabaseUrl(url);
    await (await postgresBroker(store.url)).close(); // its tables have been created
    await using network = await networkTo(store.url);
    network.refuse(true);
    const pool = openPool(network.through(store.url), { max: 4, searchPath: "bullmq" });
    const before = pool.listenerCount("error");
    const queues = queuesOnPool(pool);
    const tried = { queue: 0, worker: 0 };
    const stop = new AbortController();
    const life = (of: keyof typeof tried) => ({
      signal: stop.signal,
      report: () => void tried[of]++,
    });
    const made = [
      queues.queue("one", life("queue")),
      queues.worker("one", () => Promise.resolve(), 1, life("worker")),
    ];
    await until(() => tried.queue > 2 && tried.worker > 2, "several attempts");
    network.refuse(false);
    const both = await Promise.all(made);
    const left = pool.listenerCount("error") - before;
    for (const it of both) await it.close();
    stop.abort();
    await pool.end();
    assertEquals(left, both.length);
  },
});
