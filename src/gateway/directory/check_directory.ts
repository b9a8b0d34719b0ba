import type { Deps } from "#src/deps.ts";
import { paSettings, useTemplate } from "#src/platform/templates/mod.ts";
import type { Directory, DirectoryAnswer, DirectorySubject } from "#src/ports/directory.ts";

export type DirectoryDeps = Pick<Deps, "db" | "directory" | "settings" | "vault">;

/** Asks the national directory, through the service the `e-directory` system template describes. */
export async function checkDirectory(
  deps: DirectoryDeps,
  subject: DirectorySubject,
  signal?: AbortSignal,
): Promise<DirectoryAnswer> {
  const directory = await openDirectory(deps);
  return await directory.check(subject, { signal });
}

async function openDirectory(deps: DirectoryDeps): Promise<Directory> {
  const template = await useTemplate(deps, "e-directory");
  return deps.directory(paSettings(template, deps.settings.sandboxDirectory));
}
