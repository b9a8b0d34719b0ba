import type { Deps } from "#src/deps.ts";
import type { Actor } from "#src/ports/access.ts";
import { collectHoldings, type Holdings } from "#src/domain/permission/holdings.ts";
import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";
import { computeClosure, effectiveCodes } from "#src/domain/permission/roles.ts";
import { readRoleBook } from "./role_store.ts";
import { type Account, findAccount, listAccounts } from "./user_store.ts";

export {
  type Account,
  endSessions,
  findAccount,
  lockAccount,
  recordSignIn,
  replacePasswordHash,
} from "./user_store.ts";

/** Current permissions of an account. */
export interface Rights {
  /** While the account's is the same, so is the rest. */
  readonly epoch: number;
  readonly roles: readonly string[];
  readonly permissions: PermissionSet;
}

export async function readRights(
  db: Deps["db"],
  { epoch, roles }: Pick<Account, "epoch" | "roles">,
): Promise<Rights> {
  const permissions = permissionSet(effectiveCodes(await readRoleBook(db), roles));
  return { epoch, roles, permissions };
}

/** Returns the permissions for work in a user's name; none when the user is unknown or inactive. */
export async function readPermissions(
  { db }: Pick<Deps, "db">,
  username: string,
): Promise<PermissionSet> {
  const account = await findAccount(db, username);
  return account?.active ? (await readRights(db, account)).permissions : permissionSet([]);
}

/** Collects everything an active user holds at this moment; undefined when unknown or not active. */
export async function readHoldings(
  { db }: Pick<Deps, "db">,
  username: string,
): Promise<Holdings | undefined> {
  const account = await findAccount(db, username);
  return account?.active ? collectHoldings(account, await readRoleBook(db)) : undefined;
}

/** Returns the roles of a user including inherited ones; none when the user is unknown or inactive. */
export async function readRoles(
  { db }: Pick<Deps, "db">,
  username: string,
): Promise<readonly string[]> {
  const account = await findAccount(db, username);
  return account?.active ? computeClosure(await readRoleBook(db), account.roles) : [];
}

/** User in whose name work runs, with current rights; undefined when unknown or inactive. */
export async function readActor(
  { db }: Pick<Deps, "db">,
  username: string,
): Promise<Actor | undefined> {
  const account = await findAccount(db, username);
  if (!account?.active) return undefined;
  const { displayName, email, claims, language } = account;
  return {
    username: account.username,
    ...await readRights(db, account),
    language: language ?? undefined,
    profile: { displayName, email, claims },
  };
}

/** Returns the addresses of a user, or of all users with a role, without inactive users. */
export async function readEmails(
  { db }: Pick<Deps, "db">,
  userOrRole: string,
): Promise<readonly string[]> {
  const accounts = await listAccounts(db);
  return accounts.filter(({ active, username, roles }) =>
    active && (username === userOrRole || roles.includes(userOrRole))
  ).flatMap(({ email }) => email ?? []);
}
