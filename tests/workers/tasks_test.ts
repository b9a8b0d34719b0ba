import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { startProduct } from "#tests/support/product.ts";
import { until } from "#tests/support/until.ts";

Deno.test("dead and quarantined tasks are listed with their evidence, sent live, and replayed", async () => {
  await using product = await startProduct();
  const { db, live } = product.deps;
  const heard: unknown[] = [];
  const leave = live.subscribe(({ type, data }) => {
    if (type === "task.stopped") heard.push(data);
  });
  const death = { at: "2026-01-01T00:00:00Z", holder: "here:1", how: "killed", counts: true };
  await db.execute(sql`
    insert into tasks (queue, name, payload, state, attempts, max_attempts, last_error, deaths, evidence)
    values ('submission', 'submit_invoice', '{"submissionId":"1d4b2c6e-0c1e-4f57-9b8e-5f4f0c0a7a11"}', 'poisoned', 3, 12,
      'killed', 2, ${JSON.stringify([death])}::jsonb),
    ('jobs', 'nobody_knows_it', '{}', 'ready', 0, 1, null, 0, '[]')`);
  await until(() => heard.length === 2, "both to be told of");
  leave();
  const { body } = await product.get("/api/tasks");
  const shown = body.tasks.map((
    it: Record<string, unknown>,
  ) => [it["queue"], it["name"], it["state"]]);
  assertEquals(shown, [
    ["jobs", "nobody_knows_it", "dead"],
    ["submission", "submit_invoice", "poisoned"],
  ]);
  const [poisoned] = (await product.get("/api/tasks?state=poisoned")).body.tasks;
  assertEquals([poisoned.evidence, poisoned.lastError], [[death], "killed"]);
  assertEquals((await product.get("/api/tasks?state=ready")).status, 400);
  assertEquals((await product.post(`/api/tasks/${poisoned.id}/replay`)).status, 200);
  await until(
    async () => (await product.get("/api/tasks?state=poisoned")).body.total === 0,
    "it to be done: no such sending is there",
  );
  assertEquals((await product.post(`/api/tasks/${poisoned.id}/replay`)).status, 404);
});
