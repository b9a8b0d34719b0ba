import { assertEquals } from "@std/assert";
import { startAccess } from "#tests/support/access.ts";
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
