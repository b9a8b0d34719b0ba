import type { LiveEventType } from "#src/ports/live_bus.ts";
import { assertEquals } from "@std/assert";
import { startAccess } from "#tests/support/access.ts";
import { until } from "#tests/support/until.ts";
import { readEvents } from "#tests/support/sse.ts";

Deno.test("a ticket opens one stream as its caller, once; a foreign or used one opens none", async (t) => {
  await using server = await startAccess();
  const { body } = await server.call("POST", "/api/live/ticket", { token: server.admin });
  const open = (ticket: string) => server.request("GET", `/api/live?ticket=${ticket}`);

  await t.step("without a token there is no ticket", async () => {
    assertEquals((await server.call("POST", "/api/live/ticket")).status, 401);
  });
  await t.step("the ticket opens a stream", async () => {
    const stream = await open(body.ticket);
    assertEquals(stream.status, 200);
    const [hello] = await readEvents(stream, (events) => events.length > 0);
    assertEquals(hello?.event, "hello");
  });
  await t.step("and no second one", async () => {
    const again = await open(body.ticket);
    await again.body?.cancel();
    assertEquals(again.status, 401);
  });
  await t.step("nor does a guess", async () => {
    const guess = await open("x".repeat(43));
    await guess.body?.cancel();
    assertEquals(guess.status, 401);
  });
});

Deno.test("a stream ends with its token, and sends nothing after it", async () => {
  let passedMs = 0;
  const clock = { now: () => new Date(Date.now() + passedMs) };
  await using server = await startAccess({ clock });
  const { db, live } = server.deps;
  const open = await server.request("GET", "/api/live?topics=runs", { token: server.admin });
  let arrived = 0;
  const told = readEvents(open, (events) => { // until the stream ends
    arrived = events.length;
    return false;
  });
  const tell = (type: string) =>
    live.publish(db, {
      topic: "runs",
      type: type as LiveEventType,
      data: {},
      permission: "live:read",
    });
  await tell("before");
  await until(() => arrived === 2, "what was told before to arrive");
  passedMs = 60 * 60_000;
  await tell("after");
  assertEquals((await told).map((it) => it.event), ["hello", "before"]);
});
