import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { ConfinedPath, Storage } from "#src/ports/storage.ts";
import { whileCounted } from "./quota.ts";

/** Limit of a customised stylesheet. */
const MAX_BYTES = 16 * 1024 * 1024;

export interface StylesheetInstallation {
  readonly targetDir: ConfinedPath;
  readonly installed: string[];
  /** Existing files with different content, which a customer has changed. */
  readonly kept: string[];
}

/** Copies the bundled stylesheets to a folder of the data folder for customers to edit; edited ones stay. */
export async function installStylesheets(
  deps: Pick<Deps, "db" | "settings" | "storage" | "stylesheets">,
  { targetDir, username }: { readonly targetDir: string; readonly username: string },
): Promise<StylesheetInstallation> {
  const { storage, stylesheets } = deps;
  const folder = await storage.confine(targetDir);
  const installed: string[] = [];
  const kept: string[] = [];
  for (const { name, content } of await stylesheets.bundled()) {
    const path = await storage.confine(`${folder}/${name}`);
    const present = await textAt(storage, path);
    const isEdited = present !== undefined && present !== new TextDecoder().decode(content);
    if (present === undefined) {
      const refusal = say`${name} exceeds what ${username} may add in a day`;
      const addition = { bytes: content.length, username, refusal };
      await whileCounted(deps, addition, () => storage.write(path, content));
    }
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
