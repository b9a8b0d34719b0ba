import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "#src/ports/storage.ts";

/** Writes a file of the users. */
export async function writeText(files: Storage, path: string, text: string): Promise<void> {
  await files.write(await files.confine(path), new TextEncoder().encode(text));
}

/** A folder of the test's own, gone when it ends. */
export async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A new data folder, to be removed by who asked for it. */
export async function newDataFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), "passerelle-data-"));
}
