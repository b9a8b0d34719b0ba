import net from "node:net";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { CONNECTORS, startOrders } from "#tests/support/order_queries.ts";
import { until } from "#tests/support/until.ts";

const server = deps("PostgreSQL", postgresUrl);

Deno.test({
  name:
    "a query that is too slow is 504 and leaves nothing running, also when its caller leaves; one that writes is 500",
  ...server,
  async fn() {
    await using it = await startOrders();
    const running = async () =>
      (await it.erp
        .owner`select 1 from pg_stat_activity where usename = ${it.erp.role} and state = 'active'`)
        .length;
    const late = await it.read("slow?seconds=600");
    assertEquals([late.status, late.body.detail], [504, "The statement took longer than 0.3 s"]);
    // The server reports the refusal a moment before it shows the session as idle.
    await until(async () => await running() === 0);
    const going = new AbortController();
    const long = CONNECTORS.replace("timeout: 300ms", "timeout: 15s");
    await it.write("connectors", long);
    await until(async () => (await it.configuration.reload(), true));
    const left = it.app.request("/api/sql/erp/slow?seconds=600", {
      headers: { authorization: `Bearer ${it.admin}` },
      signal: going.signal,
    });
    await until(async () => await running() === 1);
    going.abort();
    await left;
    await until(async () => await running() === 0);
    const { token } = await it.userWith("viewer", ["sql:*:*"]);
    const sneaky = await it.read("sneaky", token);
    assertEquals([sneaky.status, sneaky.body.detail], [500, "The read query tried to write"]);
    const broken = await it.read("broken", token);
    assertEquals(broken.status, 422);
    assert(
      !broken.body.detail.includes("nothing"),
      "the database's words are for those who may read the query",
    );
    assert(broken.body.error_id);
    const zero = await it.read("zero", token);
    assertEquals([zero.status, Boolean(zero.body.error_id)], [422, true], "nobody's value");
    assertMatch((await it.read("broken")).body.detail, /column "nothing" does not exist/);
  },
});

Deno.test({
  name: "a database that goes away is 503, and is used again when it comes back",
  ...server,
  async fn() {
    await using it = await startOrders();
    const address = new URL(it.erp.url);
    const open = new Set<net.Socket>();
    const listen = async (port: number) => {
      const proxy = net.createServer((client) => {
        const peer = net.connect(Number(address.port || 5432), address.hostname);
        for (const socket of [client, peer]) {
          open.add(socket);
          socket.on("error", () => {}).on("close", () => open.delete(socket));
        }
        client.pipe(peer).pipe(client);
      });
      await new Promise<void>((ready) => proxy.listen(port, "127.0.0.1", ready));
      return proxy;
    };
    const stop = async (proxy: net.Server) => {
      const closed = new Promise((done) => proxy.close(done));
      for (const socket of open) socket.destroy();
      await closed;
    };
    let proxy = await listen(0);
    const { port } = proxy.address() as net.AddressInfo;
    await it.write(
      "pools",
      `version: 1\npools:\n  erp:\n${it.pool().replace(/port: .*/, `port: ${port}`)}`,
    );
    assertEquals((await it.read("orders")).status, 200);
    await stop(proxy);
    const { token } = await it.userWith("viewer", ["sql:*:*"]);
    await until(async () => (await it.read("orders", token)).status === 503);
    const down = await it.read("orders", token);
    assertEquals([down.status, down.headers.get("retry-after"), down.body.detail], [
      503,
      "5",
      "The database cannot be reached",
    ]);
    proxy = await listen(port);
    assertEquals((await it.read("orders", token)).status, 200);
    await it.databases.close();
    await stop(proxy);
  },
});

Deno.test({
  name: "a pool may wait for longer than a timer counts, and keep its connections for as long",
  ...server,
  async fn() {
    await using it = await startOrders();
    const pool = it.pool(
      "    connections: { acquire_timeout: 30d, idle_timeout: 30d, max_lifetime: 30d }\n" +
        "    session: { lock_timeout: 30d, idle_in_transaction_timeout: 30d }\n" +
        "    limits: { timeout: 30d }\n",
    );
    await it.write("pools", `version: 1\npools:\n  erp:\n${pool}`);
    await it.write("connectors", CONNECTORS.replace("timeout: 300ms", "timeout: 30d"));
    const connections = async () =>
      (await it.erp.owner`select pid from pg_stat_activity where usename = ${it.erp.role}`)
        .map(({ pid }) => pid);
    assertEquals((await it.read("slow?seconds=0.05")).status, 200);
    const before = await connections();
    assertEquals((await it.read("orders")).status, 200);
    assertEquals([before.length, await connections()], [1, before]);
  },
});

Deno.test({
  name: "one caller has four queries under way; others wait for their turn, and not for ever",
  ...server,
  async fn() {
    await using it = await startOrders();
    const pool = it.pool("    connections: { max: 10, acquire_timeout: 1500ms }\n");
    await it.write("pools", `version: 1\npools:\n  erp:\n${pool}`);
    await it.write("connectors", CONNECTORS.replace("timeout: 300ms", "timeout: 60s"));
    const slow = (seconds: number) => it.read(`slow?seconds=${seconds}`);
    const both = await Promise.all(Array.from({ length: 8 }, () => slow(0.05)));
    assertEquals(both.map((answer) => answer.status), Array(8).fill(200));
    const busy = Array.from({ length: 4 }, () => slow(5));
    await until(async () =>
      (await it.erp
        .owner`select 1 from pg_stat_activity where usename = ${it.erp.role} and state = 'active'`)
        .length === 4
    );
    const full = await it.read("orders");
    assertEquals([full.status, full.headers.get("retry-after"), full.body.detail], [
      429,
      "1",
      "admin has 4 queries under way; try again",
    ]);
    const { token } = await it.userWith("viewer", ["sql:*:*"]);
    assertEquals((await it.read("orders", token)).status, 200);
    assertEquals((await Promise.all(busy)).map((answer) => answer.status), Array(4).fill(200));
    assertEquals((await it.read("orders")).status, 200);
  },
});

Deno.test({
  name: "pools and queries are replaced under load, and no call fails",
  ...server,
  async fn() {
    await using it = await startOrders();
    const { token } = await it.userWith("viewer", ["sql:*:*"]);
    const statuses = new Map<number, number>();
    let going = true;
    const caller = async () => {
      while (going) {
        const { status } = await it.read("orders?limit=5", token);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const callers = Array.from({ length: 4 }, caller);
    for (const max of [1, 3, 2, 4]) {
      const pool = it.pool(`    connections: { max: ${max} }\n`);
      const before = it.configuration.current();
      assertEquals((await it.write("pools", `version: 1\npools:\n  erp:\n${pool}`)).status, 200);
      await it.write("connectors", CONNECTORS.replace("default: 10", `default: ${max + 10}`));
      await until(() => it.configuration.current() !== before);
      const seen = statuses.get(200) ?? 0;
      await until(() => (statuses.get(200) ?? 0) > seen + 20);
    }
    going = false;
    await Promise.all(callers);
    assertEquals([...statuses.keys()], [200]);
    assertEquals((await it.read("orders")).body.limit, 14);
  },
});

Deno.test({
  name: "a query the database takes for too costly is not run, with the values it is given",
  ...server,
  async fn() {
    await using it = await startOrders();
    await it.erp.owner.unsafe("analyze orders");
    assertEquals((await it.read("costly?limit=3")).body.items.length, 3);

    const refused = await it.read("costly?other=x&limit=1000");
    assertEquals(refused.status, 422, JSON.stringify(refused.body));
    assertMatch(refused.body.detail, /would cost \d+ .*, and 10 is allowed/);
  },
});
