import type { Deps } from "#src/deps.ts";
import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";
import { effectiveCodes } from "#src/domain/permission/roles.ts";
import { readRoleBook } from "./role_store.ts";
import { findAccount } from "./user_store.ts";

/** What a user may do at this moment, for work done in their name; nothing when unknown or not active. */
export async function readPermissionsOf(
  { db }: Pick<Deps, "db">,
  username: string,
): Promise<PermissionSet> {
  const account = await findAccount(db, username);
  if (!account?.active) return permissionSet([]);
  return permissionSet(effectiveCodes(await readRoleBook(db), account.roles));
}
