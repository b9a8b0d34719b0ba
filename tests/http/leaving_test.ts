import { assertEquals } from "@std/assert";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { serve } from "#src/adapters/http_server/server.ts";
import { attachSockets } from "#src/adapters/http_server/sockets.ts";
import { silentLog } from "#tests/support/log.ts";
import { rawCall } from "#tests/support/raw_http.ts";
import { until } from "#tests/support/until.ts";

/** Practically never. */
const GRACE_MS = 600_000;
/** Socket.IO waits 30 s for the goodbye of a client. */
const LIMIT_MS = 25_000;
const WEBSOCKET = [
  "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1",
  "Host: a",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version: 13",
  "\r\n",
].join("\r\n");

/** Starts a server with Socket.IO that accepts every client. */
async function open(fetch: (request: Request) => Response | Promise<Response>) {
  const door = { unheard: () => undefined, enter: () => new Promise<never>(() => {}) };
  const server = await serve(
    fetch,
    { port: 0, host: "127.0.0.1" },
    (http) => attachSockets(http, { door, headers: [], log: silentLog }),
  );
  const clients: Socket[] = [];
  return {
    server,
    async connection() {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      clients.push(socket);
      socket.on("error", () => {});
      await once(socket, "connect");
      return socket;
    },
    closes(graceMs: number) {
      let isClosed = false;
      void server.close(graceMs).then(() => isClosed = true);
      return { closed: () => until(() => isClosed, "the server to be closed", LIMIT_MS) };
    },
    [Symbol.dispose]() {
      for (const it of clients) it.destroy();
    },
  };
}

Deno.test("a call that offers another protocol is answered as any other", async () => {
  using it = await open(async (request) =>
    new Response(`${request.method} ${await request.text()}`)
  );
  const headers = {
    connection: "Upgrade, HTTP2-Settings",
    upgrade: "h2c",
    "http2-settings": "AAMA",
  };
  const get = await rawCall(it.server.url, { method: "GET", path: "/api", headers });
  assertEquals([get.status, get.text], [200, "GET "]);
  const body = [new TextEncoder().encode("hello")];
  const post = await rawCall(it.server.url, {
    path: "/api",
    headers: { ...headers, "content-length": "5" },
    body,
  });
  assertEquals([post.status, post.text], [200, "POST hello"]);
  await it.closes(GRACE_MS).closed();
});

Deno.test("a server that closes ends the streams of those who follow, and answers the calls in hand", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  using it = await open(async (request) => {
    if (request.url.endsWith("/stream")) {
      const events = new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(1)) });
      return new Response(events, { headers: { "content-type": "text/event-stream" } });
    }
    asked.resolve();
    await answer.promise;
    return new Response("done");
  });
  const stream = await fetch(`${it.server.url}/stream`);
  const call = fetch(`${it.server.url}/slow`).then((it) => it.text());
  await asked.promise;
  const { closed } = it.closes(GRACE_MS);
  assertEquals((await stream.bytes()).length, 1);
  answer.resolve();
  assertEquals(await call, "done");
  await closed();
});

Deno.test("a closing server refuses clients of Socket.IO, and waits for no silent one", async () => {
  using it = await open(() => new Response("other"));
  const early = await it.connection();
  early.write(WEBSOCKET);
  await once(early, "data"); // it never answers the goodbye
  const late = await it.connection();
  const gone = once(late, "close");
  const { closed } = it.closes(100);
  late.write(WEBSOCKET);
  await gone;
  await closed();
});

Deno.test("the first client of Socket.IO is refused once the server closes", async () => {
  using it = await open(() => new Response("other"));
  const late = await it.connection();
  let heard = "";
  late.on("data", (data) => heard += data);
  const gone = once(late, "close");
  const { closed } = it.closes(GRACE_MS);
  late.write(WEBSOCKET);
  await gone;
  assertEquals(heard, "");
  await closed();
});
