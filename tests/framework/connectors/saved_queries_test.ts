import { assertEquals } from "@std/assert";
import { startProduct } from "#tests/support/product.ts";

Deno.test("saved queries are listed by key, saved in one call, and stay if they are not named", async () => {
  await using product = await startProduct();
  assertEquals((await product.get("/api/queries")).body, { queries: [] });
  const saved = await product.send("PUT", "/api/queries", {
    queries: { b: "select 2", a: "select 1" },
  });
  assertEquals([saved.status, saved.body], [200, { success: true }]);
  await product.send("PUT", "/api/queries", { queries: { a: "select 'one'", c: "select 3" } });
  assertEquals((await product.get("/api/queries")).body.queries, [
    { key: "a", label: "a", description: "", sql: "select 'one'" },
    { key: "b", label: "b", description: "", sql: "select 2" },
    { key: "c", label: "c", description: "", sql: "select 3" },
  ]);
  await product.send("PUT", "/api/queries", { queries: { b: "" } });
  assertEquals((await product.get("/api/queries")).body.queries.length, 2);
  for (const queries of [{ "a b": "x" }, { a: 1 }, [], { a: "x\0" }]) {
    assertEquals((await product.send("PUT", "/api/queries", { queries })).status, 400);
  }
});
