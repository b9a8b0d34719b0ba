import type { Deps } from "#src/deps.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import type { SectionFolder } from "#src/ports/section_folder.ts";
import { applyBundle, sectionsOf } from "./apply.ts";
import type { ChangeNeeds } from "./change_sections.ts";
import { readCurrentRevisions } from "./store.ts";

/** In revisions and in the audit. */
const FIRST_START = {
  username: "first start",
  roles: ["admin"],
  permissions: permissionSet(["*"]),
};

/**
 * The starter application, where nobody has ever written a section; of processes that start at once each would write the same.
 * Resolves to whether it was applied.
 */
export async function applyStarter(
  deps: ChangeNeeds & Pick<Deps, "log">,
  starter: SectionFolder,
): Promise<boolean> {
  if ((await readCurrentRevisions(deps.db)).size) return false;
  const sections = sectionsOf(await starter.read());
  await applyBundle(deps, { sections, prune: false }, {
    by: FIRST_START,
    note: "starter application",
    mayReload: true,
  });
  deps.log.info("configuration.starter.applied", { sections: [...sections.keys()] });
  return true;
}
