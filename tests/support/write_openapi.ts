import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { clientTypes } from "./client_types.ts";
import { startProduct } from "./product.ts";

/** Writes the snapshot of the OpenAPI test, and the types with which the console calls the API. */
{
  await using product = await startProduct();
  const { body } = await product.get("/openapi.json");
  const root = join(import.meta.dirname ?? ".", "..", "..");
  await writeFile(join(root, "tests/openapi.json"), `${JSON.stringify(body, null, 2)}\n`);
  await writeFile(join(root, "src/console/api/schema.d.ts"), await clientTypes(body));
}
process.exit(0);
