import { assertEquals, assertRejects } from "@std/assert";
import { createServer, type RequestListener } from "node:http";
import { registryClient } from "#src/adapters/registry/mod.ts";
import { AppError } from "#src/kernel/errors.ts";

async function peer(
  listen: RequestListener,
): Promise<{ readonly baseUrl: string } & AsyncDisposable> {
  const server = createServer(listen);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

Deno.test("a search returns the registry's two fields and is cached for a while", async () => {
  const urls: (string | undefined)[] = [];
  await using registry = await peer((request, response) => {
    urls.push(request.url);
    response.end(JSON.stringify({ results: [{ siren: "702042755" }], total_results: 41, page: 1 }));
  });
  const client = registryClient({ baseUrl: registry.baseUrl });
  const answer = { results: [{ siren: "702042755" }], total_results: 41 };
  assertEquals(await client.search({ q: " boulangerie & co " }), answer);
  assertEquals(await client.search({ q: "boulangerie & co" }), answer);
  assertEquals(urls, ["/search?q=boulangerie+%26+co&page=1&per_page=10"]);
});

Deno.test("requests beyond the registry's limit wait, and too many are sent away", async () => {
  await using registry = await peer((_, response) =>
    response.end(`{"results":[],"total_results":0}`)
  );
  const client = registryClient({ baseUrl: registry.baseUrl, requestsPerSecond: 0.3 });
  const ending = new AbortController();
  const searches = Promise.allSettled(
    ["a", "b", "c"].map((q) => client.search({ q }, { signal: ending.signal })),
  );
  const error = await assertRejects(() => client.search({ q: "d" }), AppError);
  assertEquals(error.code, "throttled");
  ending.abort();
  await searches;
});

const FAILURES = [
  [429, { "retry-after": "4" }, "", "throttled"],
  [400, {}, `{"erreur":"Trop court"}`, "invalid"],
  [500, {}, "oops", "upstream"],
  [200, {}, "<html>", "upstream"],
  [302, { location: "http://127.0.0.1:1/" }, "", "upstream"],
] as const;

for (const [status, headers, body, code] of FAILURES) {
  Deno.test(`a registry answering ${status} ${body} is ${code}`, async () => {
    await using registry = await peer((_, response) =>
      response.writeHead(status, headers).end(body)
    );
    const client = registryClient({ baseUrl: registry.baseUrl });
    const error = await assertRejects(() => client.search({ q: "x" }), AppError);
    assertEquals(error.code, code);
    if (code === "throttled") assertEquals(error.retryAfter, 4);
  });
}

Deno.test("an empty search is refused and an absent registry is named", async () => {
  const client = registryClient({ baseUrl: "http://127.0.0.1:1" });
  assertEquals((await assertRejects(() => client.search({ q: "  " }), AppError)).code, "invalid");
  assertEquals((await assertRejects(() => client.search({ q: "x" }), AppError)).code, "upstream");
});
