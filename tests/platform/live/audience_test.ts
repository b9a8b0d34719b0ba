import type { LiveEventType } from "#src/ports/live_bus.ts";
import { assertEquals, assertMatch } from "@std/assert";
import { must, startAccess } from "#tests/support/access.ts";
import { longTest } from "#tests/support/long.ts";
import { readEvents } from "#tests/support/sse.ts";

Deno.test("an event for one user is sent only to that user, live and after a resumption", async () => {
  await using server = await startAccess();
  const [alice, bob] = await Promise.all([
    server.userWith("alice", ["live:read", "ai:chat"]),
    server.userWith("bob", ["live:read", "ai:chat"]),
  ]);
  const open = (token: string, headers = {}) =>
    server.request("GET", "/api/live?topics=ai", { token, headers });
  const event = (to: string | undefined, n: number) =>
    server.deps.live.publish(server.deps.db, {
      topic: "ai",
      type: "told" as LiveEventType,
      data: { n },
      permission: "ai:chat",
      audience: to,
    });
  const [hers, his, admins] = await Promise.all(
    [alice.token, bob.token, server.admin].map((it) => open(it)),
  );
  const seen = (response: Response | undefined) =>
    readEvents(response ?? new Response(), (events) => events.some((it) => it.data?.n === 3));
  const all = Promise.all([seen(hers), seen(his), seen(admins)]);
  await event("alice", 1);
  await event("bob", 2);
  await event(undefined, 3);
  const told = (await all).map((events) => events.slice(1).map((it) => it.data.n));
  assertEquals(told, [[1, 3], [2, 3], [3]]);
  const [, first] = (await all)[0] ?? [];
  const resumed = await seen(await open(bob.token, { "last-event-id": first?.id ?? "" }));
  assertEquals(resumed.slice(1).map((it) => it.data.n), [2, 3]);
});

longTest("users whose rights change are notified, without the names of others", async () => {
  await using server = await startAccess();
  const [alice, bob] = await Promise.all([
    server.userWith("alice", ["live:read"]),
    server.userWith("bob", ["live:read"]),
  ]);
  const tell = (type: string) =>
    server.deps.live.publish(server.deps.db, {
      topic: "config",
      type: type as LiveEventType,
      data: {},
      permission: "live:read",
    });
  const followed = await Promise.all(
    [alice.token, bob.token, server.admin].map((token) =>
      server.request("GET", "/api/live", { token })
    ),
  );
  const all = Promise.all(
    followed.map((it) => readEvents(it, (events) => events.some(({ event }) => event === "end"))),
  );
  await tell("begin"); // the event about their arrival comes first, however late
  await must(
    server.call("PUT", "/admin/users/alice", {
      token: server.admin,
      body: { display_name: "Alice" },
    }),
    200,
  );
  await tell("end");
  const [hers, his, admins] = (await all).map((events) =>
    events.slice(events.findIndex((it) => it.event === "begin"))
      .filter((it) => it.event === "access.changed").map((it) => it.data.usernames)
  );
  assertEquals([hers, his, admins], [[undefined], [], [["alice"]]]);
});

Deno.test("a connection gets heartbeats while only others receive events", async () => {
  let ahead = 0;
  await using server = await startAccess({ clock: { now: () => new Date(Date.now() + ahead) } });
  const { token } = await server.userWith("alice", ["live:read"]);
  const publish = (type: string, permission: string) =>
    server.deps.live.publish(server.deps.db, {
      topic: "pools",
      type: type as LiveEventType,
      data: {},
      permission,
    });
  const stream = (await server.request("GET", "/api/live", { token })).body ?? new ReadableStream();
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  const until = async (it: RegExp) => {
    while (!it.test(heard)) heard += (await reader.read()).value;
  };
  await until(/hello/);
  for (let i = 0; i < 4; i++) {
    ahead += 8_000;
    await publish("of.others", "settings:pools");
    await publish("hers", "live:read");
    await until(/hers/);
    heard = "";
  }
  ahead += 16_000;
  await publish("of.others", "settings:pools");
  await publish("end", "live:read");
  await until(/event: end/);
  await reader.cancel();
  assertMatch(heard, /^: still here\n\nevent: end/);
});
