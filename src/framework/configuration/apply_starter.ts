import type { Deps } from "#src/deps.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import type { SectionFolder } from "#src/ports/section_folder.ts";
import { applyBundle, parseSections } from "./apply.ts";
import type { ChangeDeps } from "./change_sections.ts";
import { readCurrentRevisions } from "./store.ts";

/** Author of the first revisions, in the revision list and in the audit. */
const FIRST_START = {
  username: "first start",
  roles: ["admin"],
  permissions: permissionSet(["*"]),
};

/**
 * Applies the starter application when no section was ever written. Simultaneous processes would write the same.
 * Resolves to true when it was applied.
 */
export async function applyStarter(
  deps: ChangeDeps & Pick<Deps, "log">,
  starter: SectionFolder,
): Promise<boolean> {
  if ((await readCurrentRevisions(deps.db)).size) return false;
  const sections = parseSections(await starter.read());
  await applyBundle(deps, { sections, prune: false }, {
    by: FIRST_START,
    note: "starter application",
    mayReload: true,
  });
  deps.log.info("configuration.starter.applied", { sections: [...sections.keys()] });
  return true;
}
