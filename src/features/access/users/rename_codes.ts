import type { Deps } from "#src/deps.ts";
import { heirsOf } from "#src/domain/permission/roles.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import { inTurn } from "./in_turn.ts";
import { readRoleBook, updateRole } from "./role_store.ts";
import { bumpMembers } from "./user_store.ts";

export interface RenamedCode {
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

/** Roles go on granting what they granted when a thing gets another name; members feel it on their next call. */
export async function renameCodes(
  deps: Pick<Deps, "clock" | "db" | "live">,
  { renamed, by }: { renamed: (code: string) => string | undefined; by: Actor },
): Promise<void> {
  await inTurn(deps, async (tx) => {
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
