import type { LiveEventType } from "#src/ports/live_bus.ts";
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { GOLDEN, startProduct } from "#tests/support/product.ts";
import { readEvents } from "#tests/support/sse.ts";

Deno.test("the live channel sends runs and statuses as they happen, by topic, and resumes where a client stopped", async (t) => {
  await using product = await startProduct();
  const file = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
  const all = await product.request("/api/live");
  const statuses = await product.request("/api/live?topics=invoices");
  const everything = readEvents(all, (events) => events.some((it) => it.event === "run.finished"));
  const changes = readEvents(statuses, (events) => events.some((it) => it.data.status === "9906"));
  await product.post("/api/run", { template: "R42565", file, mode: "SINGLE" });

  await t.step("run and invoice events arrive", async () => {
    const events = await everything;
    assertEquals(events[0]?.event, "hello");
    const finished = events.find((it) => it.event === "run.finished");
    assertEquals([finished?.data.state, finished?.data.total, finished?.data.open], [
      "finished",
      1,
      0,
    ]);
  });
  await t.step("a topic filters", async () => {
    const events = await changes;
    assertEquals(events.slice(1).map((it) => it.data.status), ["9900", "9901", "9906"]);
    assertEquals(new Set(events.slice(1).map((it) => it.event)), new Set(["invoice.status"]));
  });
  await t.step("Last-Event-ID returns the events after it, once", async () => {
    const [, first, second] = await changes;
    const headers = { "last-event-id": first?.id ?? "" };
    const resumed = await product.request("/api/live?topics=invoices", { headers });
    const events = await readEvents(resumed, (it) => it.length >= 2);
    assertEquals(events[1], second);
  });
  await t.step(
    "who follows from what was the last event when they began to read misses nothing",
    async () => {
      const { last_event_id: last } = (await product.get("/auth/me")).body;
      const publish = (type: string) =>
        product.deps.live.publish(product.deps.db, {
          topic: "config",
          type: type as LiveEventType,
          data: {},
          permission: "live:read",
        });
      await publish("between");
      const headers = { "last-event-id": last };
      const followed = await product.request("/api/live?topics=config", { headers });
      const events = readEvents(followed, (it) => it.some(({ event }) => event === "then"));
      await publish("then");
      assertEquals((await events).map((it) => it.event), ["hello", "between", "then"]);
    },
  );
  await t.step("an expired id makes the client read again", async () => {
    const resumed = await product.request("/api/live", { headers: { "last-event-id": "1-0" } });
    const events = await readEvents(resumed, (it) => it.length >= 2);
    assert(events.some((it) => it.event === "resync"));
  });
});
