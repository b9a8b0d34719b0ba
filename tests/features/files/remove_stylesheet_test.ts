import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { startProduct } from "#tests/support/product.ts";

Deno.test("a stylesheet is deleted unless a template needs it, itself or through one that imports it", async () => {
  await using product = await startProduct();
  const remove = (path: string) =>
    product.send("DELETE", `/api/xsl?path=${encodeURIComponent(path)}`);
  const text =
    '<xsl:stylesheet xmlns:xsl="x"><xsl:import\n href="parts/vat%20sums.xsl"/></xsl:stylesheet>';
  for (const path of ["own/mine.xsl", "own/parts/vat sums.xsl", "own/free.xsl"]) {
    const written = await product.send("PUT", "/api/fs/write", { path, content: text });
    assertEquals(written.status, 200, JSON.stringify(written.body));
  }
  const copied = await product.post("/api/templates/R42565/copy/MINE");
  assert(copied.status < 300, JSON.stringify(copied.body));
  const { body } = await product.get("/api/templates/MINE");
  const changed = await product.send("PUT", "/api/templates/MINE", {
    ...body,
    properties: { ...body.properties, transform: "own/mine.xsl" },
  });
  assertEquals(changed.status, 200, JSON.stringify([body, changed.body]));
  for (const path of ["own/mine.xsl", "own/parts/vat sums.xsl"]) {
    const { status, body } = await remove(path);
    assertEquals(status, 409, JSON.stringify(body));
    assertMatch(body.error, /is needed by the templates MINE; give them another one first/);
  }
  assertEquals((await remove("own/free.xsl")).status, 200);
  assertEquals((await remove("own/free.xsl")).status, 404);
  assertEquals((await remove("../free.xsl")).status, 403);
  await product.write("note.txt", "x");
  assertEquals((await remove("note.txt")).status, 422);
  assertEquals((await readdir(join(product.dataDir, "own"))).sort(), ["mine.xsl", "parts"]);
});
