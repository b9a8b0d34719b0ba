import type { Deps } from "#src/deps.ts";
import type { Actor } from "#src/ports/access.ts";
import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";
import { closureOf, effectiveCodes } from "#src/domain/permission/roles.ts";
import { readRoleBook } from "./role_store.ts";
import { type Account, findAccount, listAccounts } from "./user_store.ts";

export {
  type Account,
  endSessionsOf,
  findAccount,
  lockAccount,
  recordSignIn,
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

/** With those they inherit from; none when unknown or not active. */
export async function readRolesOf(
  { db }: Pick<Deps, "db">,
  username: string,
): Promise<readonly string[]> {
  const account = await findAccount(db, username);
  return account?.active ? closureOf(await readRoleBook(db), account.roles) : [];
}

/** Somebody in whose name work is done, as of now; undefined when unknown or not active. */
export async function readActor(
  { db }: Pick<Deps, "db">,
  username: string,
): Promise<Actor | undefined> {
  const account = await findAccount(db, username);
  if (!account?.active) return undefined;
  const { displayName, email, claims, language } = account;
  return {
    username: account.username,
    ...await rightsOf(db, account),
    language: language ?? undefined,
    profile: { displayName, email, claims },
  };
}

/** Where a user, or everybody who has a role, is written to; those who are not active are not. */
export async function readEmails(
  { db }: Pick<Deps, "db">,
  userOrRole: string,
): Promise<readonly string[]> {
  const accounts = await listAccounts(db);
  return accounts.filter(({ active, username, roles }) =>
    active && (username === userOrRole || roles.includes(userOrRole))
  ).flatMap(({ email }) => email ?? []);
}
