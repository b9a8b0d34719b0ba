import { assert, assertEquals, assertMatch } from "@std/assert";
import { startProduct } from "#tests/support/product.ts";
import snapshot from "#tests/openapi.json" with { type: "json" };

/**
 * Routes that accept other parameters: the console reads its own address, external callers add their own, or settings
 * define the names.
 */
const LOOSE = new Set([
  "/",
  "/auth/oidc/callback",
  "/api/pa/webhook",
  "/api/sql/{connector}/{query}",
  "/api/dictionary/lookups/{name}",
  "/api/charts/{id}",
  "/api/charts/{id}/drawing",
  "/api/charts/{id}/image.svg",
  "/api/dashboards/{id}",
]);

Deno.test("a query parameter that a route does not know is refused by name, on every route", async (test) => {
  await using product = await startProduct();
  const routes = Object.entries(snapshot.paths).filter(([path]) => !LOOSE.has(path))
    .flatMap(([path, verbs]) => Object.keys(verbs).map((verb) => ({ path, verb })));
  assert(routes.length > 100, `${routes.length} routes`);
  for (const { path, verb } of routes) {
    const url = path.replace(/\{\w+\}/g, "x");
    const { status, body } = await product.send(verb.toUpperCase(), `${url}?unheardOf=1`);
    assert(status === 400 || status === 422, `${verb} ${path}: ${status} ${JSON.stringify(body)}`);
    assertMatch(JSON.stringify(body), /unheardOf/, `${verb} ${path}`);
  }
  await test.step("with a suggestion, or the known names", async () => {
    const describe = async (path: string) => (await product.get(path)).body.error;
    assertEquals(
      await describe("/api/invoices?kko=00002"),
      "kko: there is no such parameter; did you mean kco?",
    );
    assertEquals(
      await describe("/api/fs/read?file=x"),
      "file: there is no such parameter; known are path",
    );
    assertEquals(
      await describe("/api/queries?x=1"),
      "x: there is no such parameter; this call takes none",
    );
  });
});
