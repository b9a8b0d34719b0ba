import { assertEquals } from "@std/assert";
import { healthRoutes } from "#src/http/health.ts";
import { EngineFailure } from "#src/ports/db.ts";
import { openPgliteInMemory } from "#tests/support/memory_database.ts";

Deno.test("health answers 503 from the moment the embedded engine fails", async () => {
  await using database = await openPgliteInMemory();
  const failing = new AbortController();
  const routes = healthRoutes({
    db: database.db,
    tasks: { ping: () => Promise.resolve() },
    settings: { version: "1", build: "b" },
    isDraining: () => false,
    isSendingOff: () => Promise.resolve(false),
    failure: failing.signal,
  });
  const ask = async (path: string) => {
    const answer = await routes.request(path);
    return [answer.status, await answer.json()];
  };
  assertEquals(await ask("/api/healthz"), [200, { ok: true, version: "1", build: "b" }]);
  failing.abort(new EngineFailure("It fails"));
  for (const path of ["/api/health", "/api/healthz"]) {
    assertEquals(await ask(path), [503, { ok: false, version: "1", build: "b" }]);
  }
});
