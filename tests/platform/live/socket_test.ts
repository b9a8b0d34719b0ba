import type { LiveEventType } from "#src/ports/live_bus.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { io, type Socket } from "socket.io-client";
import { serve } from "#src/adapters/http_server/server.ts";
import { attachSockets } from "#src/adapters/http_server/sockets.ts";
import { createAccess } from "#src/platform/access/mod.ts";
import { liveDoor } from "#src/platform/live/mod.ts";
import { MAX_OPEN } from "#src/platform/live/places.ts";
import { openAccess } from "#src/http/guard.ts";
import type { Access } from "#src/ports/access.ts";
import { must, startAccess } from "#tests/support/access.ts";
import { silentLog } from "#tests/support/log.ts";
import { until } from "#tests/support/until.ts";

type Auth = Record<string, unknown>;

/** Starts the live channel of one HTTP process, with both entry points closed to others. */
async function startDoor(accessOf?: Access) {
  const it = await startAccess();
  const open = async () => {
    const access = accessOf ?? createAccess(it.deps);
    const door = liveDoor(it.deps as never, access);
    return await serve(
      () => new Response("other"),
      { port: 0, host: "127.0.0.1" },
      (http) => attachSockets(http, { door, headers: [], log: silentLog }),
    );
  };
  const servers = [await open(), await open()];
  const clients: Socket[] = [];
  return {
    ...it,
    urls: servers.map((server) => server.url),
    client(auth: Auth, options: object = {}, at = 0) {
      const socket = io(servers[at]?.url ?? "", {
        auth,
        forceNew: true,
        reconnection: false,
        ...options,
      });
      clients.push(socket);
      const heard: [type: string, data: Record<string, unknown>][] = [];
      const rights: string[] = []; // separate, because the event about a new user's permissions may come later
      socket.onAny((type, data) => {
        if (type === "access.changed") rights.push(type);
        else heard.push([type, data]);
      });
      return { socket, heard, rights };
    },
    tell: (topic: string, type: string, permission: string, audience?: string) =>
      it.deps.live.publish(it.deps.db, {
        topic,
        type: type as LiveEventType,
        permission,
        data: { n: type },
        ...audience !== undefined && { audience },
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of clients) socket.disconnect();
      for (const server of servers) await server.close(100);
      await it[Symbol.asyncDispose]();
    },
  };
}

const connected = (socket: Socket) => until(() => socket.connected, "the connection");
const refusal = (socket: Socket) =>
  new Promise<Error & { data?: { status: number; detail: string } }>((resolve) =>
    socket.once("connect_error", resolve)
  );

Deno.test("Socket.IO sends the same events to the same callers, by websocket and by polling, in every process", async () => {
  await using it = await startDoor();
  const { token } = await it.userWith("ann", ["live:read", "job:nightly"]);
  const ways = [{ transports: ["websocket"] }, { transports: ["polling"] }, {}];
  const clients = ways.map((way, at) => it.client({ token }, way, at % 2));
  for (const { socket } of clients) await connected(socket);
  await it.tell("jobs", "job.run.transitioned", "job:nightly");
  await it.tell("jobs", "job.run.log", "job:secret");
  await it.tell("ai", "ai.chat.delta", "live:read", "somebody else");
  await it.tell("config", "config.reloaded", "live:read");
  for (const { heard } of clients) {
    await until(() => heard.some(([type]) => type === "config.reloaded"), "the last event");
    assertEquals(heard.map(([type, data]) => [type, data]), [
      ["job.run.transitioned", { topic: "jobs", n: "job.run.transitioned" }],
      ["config.reloaded", { topic: "config", n: "config.reloaded" }],
    ]);
  }
  const chosen = it.client({ token: `Bearer ${token}`, topics: ["config"] });
  await connected(chosen.socket);
  await it.tell("jobs", "job.run.transitioned", "job:nightly");
  await it.tell("config", "config.reloaded", "live:read");
  await until(() => chosen.heard.length > 0, "the chosen event");
  assertEquals(chosen.heard.map(([type]) => type), ["config.reloaded"]);
});

Deno.test("a refused handshake gives the reason in the client's language, and no event precedes it", async () => {
  await using it = await startDoor();
  const { token } = await it.userWith("bob", ["invoices:read"]);
  const cases: [auth: Auth, status: number, says: RegExp][] = [
    [{}, 401, /A bearer token is needed/],
    [{ language: "fr" }, 401, /Un jeton d'accès/],
    [{ language: "en" }, 401, /A bearer token is needed/],
    [{ token: "x.y.z", language: "en" }, 401, /expired, revoked or not valid/],
    [{ token: { toString: 1 }, language: "en" }, 401, /A bearer token is needed/],
    [{ token, language: "en" }, 403, /The permission live:read is missing/],
  ];
  for (const [auth, status, says] of cases) {
    const { socket, heard } = it.client(auth);
    const error = await refusal(socket);
    assertEquals(error.data?.status, status);
    assertMatch(error.message, says);
    await it.tell("config", "config.reloaded", "live:read");
    assertEquals(heard, []);
  }
  const flood = await fetch(`${it.urls[0]}/socket.io/?EIO=4&transport=polling`);
  const { sid } = JSON.parse((await flood.text()).slice(1));
  const large = await fetch(`${it.urls[0]}/socket.io/?EIO=4&transport=polling&sid=${sid}`, {
    method: "POST",
    body: `40{"token":"${"x".repeat(200_000)}"}`,
  });
  assertEquals(large.status, 413);
  await large.body?.cancel();
});

Deno.test("a connection authenticates once: a second attempt closes it", async () => {
  await using it = await startDoor();
  const url = `${it.urls[0]?.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(url);
  const heard: string[] = [];
  const closed = new Promise<void>((resolve) => socket.onclose = () => resolve());
  socket.onmessage = ({ data }) => {
    heard.push(String(data).slice(0, 2));
    if (!String(data).startsWith("0")) return;
    for (let n = 0; n < 20; n++) socket.send('40{"pid":"a","offset":"1-1"}');
  };
  await closed;
  assert(heard.filter((it) => it === "44").length <= 1, heard.join());
});

Deno.test("a revoked permission ends its events, and a revoked session ends the connection", async () => {
  await using it = await startDoor();
  const { token } = await it.userWith("eve", ["live:read", "job:nightly"]);
  const { socket, heard, rights } = it.client({ token });
  await connected(socket);
  await it.tell("jobs", "first", "job:nightly");
  await until(() => heard.length === 1, "the first event");
  const before = rights.length;
  await must(
    it.call("PUT", "/admin/roles/role of eve", {
      token: it.admin,
      body: { permissions: ["live:read"] },
    }),
    200,
  );
  await it.tell("jobs", "second", "job:nightly");
  await it.tell("config", "third", "live:read");
  await until(() => heard.some(([type]) => type === "third"), "the third event");
  assertEquals(heard.map(([type]) => type).filter((it) => it !== "session.changed"), [
    "first",
    "third",
  ]);
  assert(rights.length > before, "the word that their rights changed");
  await must(it.call("POST", "/admin/users/eve/revoke", { token: it.admin }), 200);
  await until(() => !socket.connected, "the end of the connection");
});

Deno.test("a client that reconnects to another process receives the missed events", async () => {
  await using it = await startDoor();
  const { token } = await it.userWith("joe", ["live:read"]);
  const auth: Auth = { token };
  const { socket, heard } = it.client(auth);
  await connected(socket);
  const ids: string[] = [];
  socket.on("one", (_data, id) => ids.push(id));
  await it.tell("config", "one", "live:read");
  await until(() => heard.length === 1, "the first event");
  socket.io.engine.close();
  await until(() => !socket.connected, "the break");
  await it.tell("config", "two", "live:read");
  socket.connect();
  await until(() => heard.some(([type]) => type === "two"), "what it missed");
  assertEquals([socket.recovered, heard.map(([type]) => type)], [true, ["one", "two"]]);
  const elsewhere = it.client({ token, offset: ids[0] }, {}, 1);
  await until(() => elsewhere.heard.length === 1, "what it missed at the other process");
  assertEquals(elsewhere.heard.map(([type]) => type), ["two"]);
  const late = it.client({ token, offset: "1-1" });
  await until(() => late.heard.length > 0, "the word to read again");
  assertEquals(late.heard[0]?.[0], "resync"); // the channel may still be sending "two" after it
});

Deno.test("without sign-in pages of other sites and names of strangers open no connection", async () => {
  await using it = await startDoor(openAccess);
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${it.urls[0]}/socket.io/?EIO=4&transport=polling`, { headers });
    return [answer.status, await answer.text()] as const;
  };
  assertEquals((await ask({}))[0], 200);
  const [status, why] = await ask({ origin: "https://evil.example" });
  assertEquals(status, 403);
  assert(why.includes("A page of another site"), why);
  assertEquals((await ask({ "sec-fetch-site": "cross-site" }))[0], 403);
});

Deno.test("connections per user and process are limited, and the client is informed", async () => {
  await using it = await startDoor();
  const { token } = await it.userWith("kim", ["live:read"]);
  const connect = () => it.client({ token, language: "en" }, { transports: ["websocket"] });
  const clients: ReturnType<typeof connect>[] = [];
  for (let n = 0; n < MAX_OPEN; n++) {
    clients.push(connect());
    await connected(clients[n]?.socket as Socket);
  }
  const error = await refusal(connect().socket);
  assertEquals(error.data?.status, 429);
  assertMatch(error.message, /You have 100 live streams, sockets and followed logs open here/);
  const elsewhere = it.client({ token }, { transports: ["websocket"] }, 1);
  await connected(elsewhere.socket);
  clients[0]?.socket.disconnect();
  await until(async () => {
    const { socket } = connect();
    const isIn = new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("connect_error", () => resolve(false));
    });
    return await isIn;
  }, "the place to be free");
});
