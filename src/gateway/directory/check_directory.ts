import type { Deps } from "#src/deps.ts";
import { paSettings, useTemplate } from "#src/platform/templates/mod.ts";
import { recordUse } from "#src/platform/connection_states/mod.ts";
import { PaError } from "#src/ports/pa.ts";
import type { Directory, DirectoryAnswer, DirectorySubject } from "#src/ports/directory.ts";

export type DirectoryDeps = Pick<Deps, "db" | "directory" | "log" | "settings" | "vault">;

/** Asks the national directory, through the service the `e-directory` system template describes. */
export async function checkDirectory(
  deps: DirectoryDeps,
  subject: DirectorySubject,
  signal?: AbortSignal,
): Promise<DirectoryAnswer> {
  const directory = await openDirectory(deps);
  try {
    const answer = await directory.check(subject, { signal });
    await recordUse(deps, { kind: "directory" });
    return answer;
  } catch (error) {
    if (error instanceof PaError && !error.isGivenUp) {
      await recordUse(deps, { kind: "directory" }, error);
    }
    throw error;
  }
}

async function openDirectory(deps: DirectoryDeps): Promise<Directory> {
  const template = await useTemplate(deps, "e-directory");
  return deps.directory(paSettings(template, deps.settings.sandboxDirectory));
}
