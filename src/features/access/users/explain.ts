import type { Deps } from "#src/deps.ts";
import { covers, isRequired } from "#src/domain/permission/code.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { closureOf, effectiveCodes, type RoleBook } from "#src/domain/permission/roles.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { checkRolesExist, codesOf } from "./grants.ts";
import { readRoleBook } from "./role_store.ts";
import { findAccount } from "./user_store.ts";

type Needs = Pick<Deps, "db">;

/** Why a user may do what a code stands for, or who could let them. */
interface Explanation {
  readonly user: string;
  readonly code: string;
  /** Also false for a user who is not active. */
  readonly allowed: boolean;
  readonly active: boolean;
  /** The grant that matches, such as `sql:*:*`. */
  readonly grant: string | null;
  /** From a role of the user down to the one that names the grant. */
  readonly chains: readonly (readonly string[])[];
  /** Roles that would allow it, `admin` only where no other does. */
  readonly granting: readonly string[];
}

/** Throws AppError `invalid` for a code no route can ask for, `not_found` for an unknown user. */
export async function explainPermission(
  { db }: Needs,
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

/** Roles that give a code, themselves or by inheritance; `admin`, which holds everything, only where no other does. */
export async function rolesGranting({ db }: Needs, code: string): Promise<readonly string[]> {
  return grantingIn(await readRoleBook(db), code);
}

function grantingIn(book: RoleBook, code: string): string[] {
  const giving = (only: (grant: string) => boolean) =>
    [...book.keys()].filter((name) =>
      effectiveCodes(book, [name]).some((it) => only(it) && covers(it, code))
    );
  const ordinary = giving((it) => it !== "*");
  return ordinary.length ? ordinary : giving(() => true);
}

/** The shortest way from a role to each that names the grant itself. */
function chainsTo(book: RoleBook, from: string, grant: string): string[][] {
  const givers = closureOf(book, [from]).filter((it) =>
    book.get(it)?.permissions.some((code) => covers(code, grant))
  );
  const ways = new Map([[from, [from]]]);
  for (const [name, way] of ways) {
    for (const next of book.get(name)?.inheritsFrom ?? []) {
      if (!ways.has(next)) ways.set(next, [...way, next]);
    }
  }
  return givers.map((it) => ways.get(it) ?? [it]);
}

/** What somebody with these roles could do, and for a user what that would change. */
export interface Prospect {
  readonly permissions: readonly string[];
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** Changes nothing. Throws AppError `refused` for an unknown role, `not_found` for an unknown user. */
export async function whatIf(
  { db }: Needs,
  { roles, user }: { roles: readonly string[]; user: string | undefined },
): Promise<Prospect> {
  const book = await readRoleBook(db);
  checkRolesExist(book, roles);
  const permissions = codesOf(book, roles);
  if (user === undefined) return { permissions, gained: [], lost: [] };
  const username = user.toLowerCase();
  const account = await findAccount(db, username);
  if (!account) throw notFound("User", username);
  const held = codesOf(book, account.roles);
  const beyond = (codes: readonly string[], others: readonly string[]) =>
    codes.filter((code) => !others.some((it) => covers(it, code)));
  return {
    permissions,
    gained: beyond(permissions, held),
    lost: beyond(held, permissions),
  };
}
