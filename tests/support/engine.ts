import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * Keeps PostgreSQL's WebAssembly of this process compiled. A module and what was made of it go with the last engine that runs it, and
 * each of the next would begin anew: half the time of a start.
 */
export async function keepEngine(): Promise<void> {
  kept ??= compiled();
  await kept;
}

let kept: Promise<WebAssembly.Module> | undefined;

async function compiled(): Promise<WebAssembly.Module> {
  const entry = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  return await WebAssembly.compile(await readFile(join(dirname(entry), "pglite.wasm")));
}
