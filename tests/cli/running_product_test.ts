import { assertEquals } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runningProduct } from "#src/cli/product.ts";

Deno.test("a file that names no product, or was written by half, is a product that does not run", async () => {
  const dataDir = await Deno.makeTempDir();
  try {
    const folder = join(dataDir, ".passerelle");
    const io = { out: () => {}, err: () => {}, env: { DATA_DIR: dataDir } };
    assertEquals(await runningProduct(io), undefined);
    await mkdir(folder);
    for (const text of ["", '{"url":"http://127.', "null", "{}", '{"url":1}']) {
      await writeFile(join(folder, "server.json"), text);
      assertEquals(await runningProduct(io), undefined, text);
    }
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
});
