import { assertEquals } from "@std/assert";
import { embeddedTestDatabase } from "#tests/support/db.ts";
import { healthRoutes } from "#src/http/health.ts";
import { isAway } from "#src/ports/db.ts";

Deno.test("the product is ready while its database takes changes, and no longer", async () => {
  await using database = await embeddedTestDatabase();
  const app = healthRoutes({
    db: database.db,
    tasks: { ping: () => Promise.resolve() },
    settings: { version: "0", build: "0" },
    isDraining: () => false,
    isSendingOff: () => Promise.resolve(false),
  });
  const ready = async () => {
    const answer = await app.request("/api/readyz");
    return [answer.status, (await answer.json()).database];
  };
  assertEquals(await ready(), [200, "up"]);
  const thaw = await database.freeze();
  assertEquals(await ready(), [503, "read-only"]);
  assertEquals((await app.request("/api/healthz")).status, 200);
  await thaw();
  assertEquals(await ready(), [200, "up"]);
});

Deno.test("a database in an unsuitable state is temporarily unavailable, not a fault of the product", () => {
  assertEquals(
    isAway(Object.assign(new Error("not in prerequisite state"), { code: "55000" })),
    true,
  );
});
