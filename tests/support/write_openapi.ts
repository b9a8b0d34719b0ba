import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { startProduct } from "./product.ts";

/** Writes the snapshot the OpenAPI test compares with. */
{
  await using product = await startProduct();
  const { body } = await product.get("/openapi.json");
  const path = join(import.meta.dirname ?? ".", "..", "openapi.json");
  await writeFile(path, `${JSON.stringify(body, null, 2)}\n`);
}
process.exit(0);
