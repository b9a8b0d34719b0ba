import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "#src/ports/storage.ts";

/** Writes a users' file. */
export async function writeText(files: Storage, path: string, text: string): Promise<void> {
  await files.write(await files.confine(path), new TextEncoder().encode(text));
}

/** Calls `use` with a new folder and deletes it afterwards. */
export async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Creates a data folder; the caller deletes it. */
export async function newDataFolder(): Promise<string> {
  return await mkdtemp(join(tmpdir(), "passerelle-data-"));
}
