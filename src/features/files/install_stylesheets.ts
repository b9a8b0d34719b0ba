import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";

/** What a customer made of a stylesheet is no longer than this. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface Installed {
  readonly targetDir: string;
  readonly installed: string[];
  /** Those that were there with other content, as a customer left them. */
  readonly kept: string[];
}

/** Copies the bundled stylesheets into a folder of the data folder, where a customer edits them; edited ones stay. */
export async function installStylesheets(
  { storage, stylesheets }: Pick<Deps, "storage" | "stylesheets">,
  targetDir: string,
): Promise<Installed> {
  const folder = await storage.confine(targetDir);
  const installed: string[] = [];
  const kept: string[] = [];
  for (const { name, content } of await stylesheets.bundled()) {
    const path = await storage.confine(`${folder}/${name}`);
    const present = await textAt(storage, path);
    const isEdited = present !== undefined && present !== new TextDecoder().decode(content);
    if (present === undefined) await storage.write(path, content);
    (isEdited ? kept : installed).push(name);
  }
  return { targetDir: folder, installed, kept };
}

async function textAt(storage: Storage, path: ConfinedPath): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await storage.readAll(path, MAX_BYTES));
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}
