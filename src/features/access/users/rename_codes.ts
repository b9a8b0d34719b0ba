import type { Deps } from "#src/deps.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { heirsOf } from "#src/domain/permission/roles.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
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

/** Which codes of which roles would be others; `renamed` answers undefined for a code that stays. */
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

/** Roles that would grant what they did not: they hold, from a thing of that name that is gone, the code it is renamed to. */
export async function rolesThatGain(
  db: Db,
  codes: readonly { readonly from: string; readonly to: string }[],
): Promise<string[]> {
  return [...(await readRoleBook(db)).values()].filter(({ permissions }) => {
    const held = permissionSet(permissions);
    return codes.some(({ from, to }) => held.grantOf(to) && !held.grantOf(from));
  }).map((it) => it.name);
}

/** Roles go on granting what they granted when a thing gets another name; members feel it on their next call. */
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
      await bumpMembers(tx, heirsOf(book, role));
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
