import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import { schedulePoll } from "#src/gateway/submission/mod.ts";
import { until } from "#tests/support/until.ts";
import { stage } from "../support.ts";

const PATH = "/api/pa/health";

Deno.test("the PA's health is reported: well, failing, and blocked", async (t) => {
  await using world = await stage({ BREAKER_FAILURES: "1" });
  const { product, sandbox } = world;
  await t.step("it is well", async () => {
    const { status, body } = await product.get(PATH);
    assertEquals(status, 200);
    assert(body.latencyMs >= 0);
    assert(Date.parse(body.succeededAt) <= Date.now());
    assertEquals(body, {
      name: "sandbox",
      reachable: true,
      latencyMs: body.latencyMs,
      breaker: "closed",
      succeededAt: body.succeededAt,
    });
  });
  await t.step("it is not", async () => {
    await sandbox.fault({ kind: "500-before", operation: "health", times: 0 });
    const { status, body } = await product.get(PATH);
    assertEquals([status, body.reachable, body.breaker], [200, false, "closed"]);
    assert(Date.parse(body.failingSince) >= Date.parse(body.succeededAt));
    assertMatch(body.error, /HTTP 500/);
  });
  await t.step(
    "the breaker reports until when calls are blocked; reading it changes nothing",
    async () => {
      await sandbox.fault({ kind: "500-before", operation: "search", times: 1 });
      assertEquals((await product.post("/api/import", {})).status, 502);
      await sandbox.heal();
      const { body } = await product.get(PATH);
      assertEquals([body.reachable, body.breaker], [true, "open"]);
      assert(body.retryInMs > 0 && body.retryInMs <= 60_000);
    },
  );
});

Deno.test("without a PA there is nothing to ask, and nothing is polled", async () => {
  await using world = await stage();
  const { deps, get } = world.product;
  await deps.db.execute(
    sql`update templates set properties = properties || '{"URL": ""}' where name = 'e-invoicing'`,
  );
  for (const scope of ["recent", "statuses"] as const) {
    assertEquals(await schedulePoll(deps, scope), false, "as a worker's schedule asks");
  }
  const tasks = await deps.db.query.tasks.findMany();
  assertEquals(tasks.filter((it) => it.name === "poll_pa"), []);
  const { status, body } = await get(PATH);
  assertEquals([status, body.success], [503, false]);
  assertMatch(body.error, /No PA is configured/);
});

Deno.test("while the PA is unavailable one poll waits for it, and a failed one is removed", async () => {
  await using world = await stage({ POLL_SECONDS: "1", BREAKER_FAILURES: "3" });
  const { deps } = world.product;
  await world.sandbox.fault({ kind: "500-before", operation: "search", times: 0 });
  await until(async () => {
    const { body } = await world.product.get(PATH);
    return body.breaker === "open";
  }, "the breaker to open");
  const waiting = async () =>
    (await deps.db.query.tasks.findMany()).filter((it) => it.name === "poll_pa")
      .map((it) => it.state).join();
  await until(async () => await waiting() === "ready", "one poll to wait and no other");
});
