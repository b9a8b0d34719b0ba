import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startProduct } from "#tests/support/product.ts";

const SNAPSHOT = join(import.meta.dirname ?? ".", "openapi.json");

Deno.test("the API is what the snapshot says; `deno task openapi` writes a new one, to be read in review", async () => {
  await using product = await startProduct();
  const { body } = await product.get("/openapi.json");
  assertEquals(body, JSON.parse(await readFile(SNAPSHOT, "utf8")));
});

Deno.test("every operation names a permission, a summary and its answers", async () => {
  const { paths } = JSON.parse(await readFile(SNAPSHOT, "utf8")) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  const bare = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).filter(([, it]) =>
      !it["x-permission"] || !it["summary"] || !it["responses"]
    )
      .map(([method]) => `${method} ${path}`)
  );
  assertEquals(bare, []);
});
