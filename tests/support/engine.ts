import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Stores PostgreSQL's compiled WebAssembly module in this process. The module is discarded with the last engine that
 * uses it, and compiling it again takes half of a start.
 */
export async function keepEngine(): Promise<void> {
  kept ??= compile();
  await kept;
}

let kept: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  return await WebAssembly.compile(await readFile(join(dirname(entry), "pglite.wasm")));
}
