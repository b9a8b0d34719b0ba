import type { Deps } from "#src/deps.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { findHeirs } from "#src/domain/permission/roles.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import { changeAccess } from "./change_access.ts";
import { readRoleBook, updateRole } from "./role_store.ts";
import { bumpMembers } from "./user_store.ts";

interface RenamedCode {
  readonly role: string;
  readonly from: string;
  readonly to: string;
}

/** Lists the role codes that a rename changes; `renamed` returns undefined for an unaffected code. */
export async function codesToRename(
  db: Db,
  renamed: (code: string) => string | undefined,
): Promise<RenamedCode[]> {
  return [...(await readRoleBook(db)).values()].flatMap(({ name, permissions }) =>
    permissions.flatMap((from) => {
      const to = renamed(from);
      return to === undefined ? [] : [{ role: name, from, to }];
    })
  );
}

/** Lists roles that would gain a permission, because they have the new code from a deleted thing of that name. */
export async function rolesThatGain(
  db: Db,
  codes: readonly { readonly from: string; readonly to: string }[],
): Promise<string[]> {
  return [...(await readRoleBook(db)).values()].filter(({ permissions }) => {
    const held = permissionSet(permissions);
    return codes.some(({ from, to }) => held.grantOf(to) && !held.grantOf(from));
  }).map((it) => it.name);
}

/** Renames codes in roles, so that they grant the same after a rename. Effective on the members' next call. */
export async function renameCodes(
  deps: Pick<Deps, "clock" | "db" | "live">,
  { renamed, by }: { renamed: (code: string) => string | undefined; by: Actor },
): Promise<void> {
  await changeAccess(deps, async (tx) => {
    const book = await readRoleBook(tx);
    for (const role of new Set((await codesToRename(tx, renamed)).map((it) => it.role))) {
      const before = book.get(role)?.permissions ?? [];
      const permissions = [...new Set(before.map((it) => renamed(it) ?? it))].sort();
      await updateRole(tx, role, { permissions });
      await bumpMembers(tx, findHeirs(book, role));
      await recordAudit({ ...deps, db: tx }, {
        actor: by,
        event: "role.changed",
        target: role,
        before: { permissions: before },
        after: { permissions },
      });
    }
  });
}
