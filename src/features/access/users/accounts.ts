import type { Deps } from "#src/deps.ts";
import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";
import { effectiveCodes } from "#src/domain/permission/roles.ts";
import { readRoleBook } from "./role_store.ts";
import { type Account, findAccount } from "./user_store.ts";

export {
  type Account,
  endSessionsOf,
  findAccount,
  lockAccount,
  noteSignIn,
  replacePasswordHash,
} from "./user_store.ts";

/** What an account may do at this moment. */
export interface Rights {
  /** While the account's is the same, so is the rest. */
  readonly epoch: number;
  readonly roles: readonly string[];
  readonly permissions: PermissionSet;
}

export async function rightsOf(
  db: Deps["db"],
  { epoch, roles }: Pick<Account, "epoch" | "roles">,
): Promise<Rights> {
  const permissions = permissionSet(effectiveCodes(await readRoleBook(db), roles));
  return { epoch, roles, permissions };
}

/** For work done in a user's name; nothing when unknown or not active. */
export async function readPermissionsOf(
  { db }: Pick<Deps, "db">,
  username: string,
): Promise<PermissionSet> {
  const account = await findAccount(db, username);
  return account?.active ? (await rightsOf(db, account)).permissions : permissionSet([]);
}
