import { assertEquals } from "@std/assert";
import { serve } from "#src/adapters/http_server/server.ts";
import { until } from "#tests/support/until.ts";

Deno.test("a call is in hand until its answer begins, also one that is given up; a stream is not", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const server = await serve(async (request) => {
    if (request.url.endsWith("/stream")) return new Response(new ReadableStream());
    asked.resolve();
    await answer.promise;
    return new Response("done");
  }, { port: 0, host: "127.0.0.1" });
  try {
    assertEquals(server.isAnswering(), false);
    const stream = await fetch(`${server.url}/stream`);
    assertEquals(server.isAnswering(), false);
    const given = new AbortController();
    const calls = [
      fetch(`${server.url}/slow`, { signal: given.signal }).catch(() => "given up"),
      fetch(`${server.url}/slow`).then((it) => it.text()),
    ];
    await asked.promise;
    assertEquals(server.isAnswering(), true);
    answer.resolve();
    given.abort();
    assertEquals(await Promise.all(calls), ["given up", "done"]);
    await until(() => !server.isAnswering());
    await stream.body?.cancel();
  } finally {
    await server.close(0);
  }
});
