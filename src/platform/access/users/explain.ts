import type { Deps } from "#src/deps.ts";
import { coversCode, isRequired } from "#src/domain/permission/code.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { computeClosure, effectiveCodes, type RoleBook } from "#src/domain/permission/roles.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { checkRolesExist, collectCodes } from "./grants.ts";
import { readRoleBook } from "./role_store.ts";
import { findAccount } from "./user_store.ts";

type ExplainDeps = Pick<Deps, "db">;

/** Reasons why a user has a permission, or roles that would grant it. */
interface Explanation {
  readonly user: string;
  readonly code: string;
  /** Also false for a user who is not active. */
  readonly allowed: boolean;
  readonly active: boolean;
  /** Matching grant, such as `sql:*:*`. */
  readonly grant: string | null;
  /** Chains from a role of the user to the role that names the grant. */
  readonly chains: readonly (readonly string[])[];
  /** Roles that would allow it; `admin` only if no other role does. */
  readonly granting: readonly string[];
}

/** Throws AppError `invalid` for a code no route can ask for, `not_found` for an unknown user. */
export async function explainPermission(
  { db }: ExplainDeps,
  { user, code }: { user: string; code: string },
): Promise<Explanation> {
  if (!isRequired(code)) {
    throw new AppError("invalid", say`${code} is no permission code that a call asks for`);
  }
  const username = user.toLowerCase();
  const account = await findAccount(db, username);
  if (!account) throw notFound("User", username);
  const book = await readRoleBook(db);
  const grant = permissionSet(effectiveCodes(book, account.roles)).grantOf(code) ?? null;
  return {
    user: username,
    code,
    allowed: account.active && grant !== null,
    active: account.active,
    grant,
    chains: grant === null ? [] : account.roles.flatMap((it) => chainsTo(book, it, grant)),
    granting: grantingIn(book, code),
  };
}

/**
 * Returns roles that grant a code, directly or by inheritance; `admin`, which grants everything, only if no other role
 * does.
 */
export async function rolesGranting({ db }: ExplainDeps, code: string): Promise<readonly string[]> {
  return grantingIn(await readRoleBook(db), code);
}

function grantingIn(book: RoleBook, code: string): string[] {
  const giving = (only: (grant: string) => boolean) =>
    [...book.keys()].filter((name) =>
      effectiveCodes(book, [name]).some((it) => only(it) && coversCode(it, code))
    );
  const ordinary = giving((it) => it !== "*");
  return ordinary.length ? ordinary : giving(() => true);
}

/** The shortest way from a role to each that names the grant itself. */
function chainsTo(book: RoleBook, from: string, grant: string): string[][] {
  const givers = computeClosure(book, [from]).filter((it) =>
    book.get(it)?.permissions.some((code) => coversCode(code, grant))
  );
  const ways = new Map([[from, [from]]]);
  for (const [name, way] of ways) {
    for (const next of book.get(name)?.inheritsFrom ?? []) {
      if (!ways.has(next)) ways.set(next, [...way, next]);
    }
  }
  return givers.map((it) => ways.get(it) ?? [it]);
}

/** Permissions that a set of roles would give, and for a user the difference. */
export interface Prospect {
  readonly permissions: readonly string[];
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** Changes nothing. Throws AppError `refused` for an unknown role, `not_found` for an unknown user. */
export async function whatIf(
  { db }: ExplainDeps,
  { roles, user }: { roles: readonly string[]; user: string | undefined },
): Promise<Prospect> {
  const book = await readRoleBook(db);
  checkRolesExist(book, roles);
  const permissions = collectCodes(book, roles);
  if (user === undefined) return { permissions, gained: [], lost: [] };
  const username = user.toLowerCase();
  const account = await findAccount(db, username);
  if (!account) throw notFound("User", username);
  const held = collectCodes(book, account.roles);
  const beyond = (codes: readonly string[], others: readonly string[]) =>
    codes.filter((code) => !others.some((it) => coversCode(it, code)));
  return {
    permissions,
    gained: beyond(permissions, held),
    lost: beyond(held, permissions),
  };
}
