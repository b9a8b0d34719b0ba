import { assertEquals, assertMatch } from "@std/assert";
import { MAX_OPEN } from "#src/platform/live/places.ts";
import { startAccess } from "#tests/support/access.ts";
import { until } from "#tests/support/until.ts";

Deno.test("a user opens a limited number of streams until one of them ends", async () => {
  await using server = await startAccess();
  const { token } = await server.userWith("ann", ["live:read"]);
  const open = (token: string) => server.request("GET", "/api/live?topics=runs", { token });
  const streams: ReadableStreamDefaultReader[] = [];
  const hold = async (response: Response) => {
    assertEquals(response.status, 200);
    const reader = response.body?.getReader();
    if (!reader) throw new Error("it has a body");
    await reader.read(); // hello
    streams.push(reader);
  };
  for (let n = 0; n < MAX_OPEN; n++) await hold(await open(token));
  const refused = await open(token);
  assertEquals([refused.status, refused.headers.get("retry-after")], [429, "30"]);
  assertMatch(
    await refused.text(),
    /You have 100 live streams, sockets and followed logs open here/,
  );
  await hold(await open(server.admin)); // other users have their own limit
  await streams[0]?.cancel();
  await until(async () => {
    const response = await open(token);
    if (response.status === 200) await hold(response);
    else await response.body?.cancel();
    return response.status === 200;
  }, "the place to be free");
  for (const reader of streams) await reader.cancel();
});
