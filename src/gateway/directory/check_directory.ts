import type { Deps } from "#src/deps.ts";
import { paSettings, SANDBOX_NAME, useTemplate } from "#src/platform/templates/mod.ts";
import { recordUse } from "#src/platform/connection_states/mod.ts";
import { PaError } from "#src/ports/pa.ts";
import type { Directory, DirectoryAnswer, DirectorySubject } from "#src/ports/directory.ts";

export type DirectoryDeps = Pick<Deps, "db" | "directory" | "log" | "settings" | "vault">;

/** Answer of the national directory, or of the trial directory, which knows invented companies. */
type Checked = DirectoryAnswer & { readonly isTrial: boolean };

/** Asks the directory, through the service the `e-directory` system template describes. */
export async function checkDirectory(
  deps: DirectoryDeps,
  subject: DirectorySubject,
  signal?: AbortSignal,
): Promise<Checked> {
  const { directory, isTrial } = await openDirectory(deps);
  try {
    const answer = await directory.check(subject, { signal });
    await recordUse(deps, { kind: "directory" });
    return { ...answer, isTrial };
  } catch (error) {
    if (error instanceof PaError && !error.isGivenUp) {
      await recordUse(deps, { kind: "directory" }, error);
    }
    throw error;
  }
}

async function openDirectory(
  deps: DirectoryDeps,
): Promise<{ readonly directory: Directory; readonly isTrial: boolean }> {
  const template = await useTemplate(deps, "e-directory");
  const settings = paSettings(template, deps.settings.sandboxDirectory);
  return { directory: deps.directory(settings), isTrial: settings.name === SANDBOX_NAME };
}
