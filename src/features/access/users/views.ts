import type { Deps } from "#src/deps.ts";
import { BUILT_IN_TEXTS } from "#src/domain/permission/given_roles.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { contributionsOf, effectiveCodes, type RoleBook } from "#src/domain/permission/roles.ts";
import type { Language } from "#src/kernel/language.ts";
import { tagOf } from "#src/kernel/etag.ts";
import { readRoleBook, type RoleRow } from "./role_store.ts";
import { type Account, findAccount, listAccounts, memberCounts } from "./user_store.ts";

type Needs = Pick<Deps, "db">;

export async function showUsers({ db }: Needs) {
  const book = await readRoleBook(db);
  return (await listAccounts(db)).map((it) => userOf(it, book));
}

/** With the roles each permission comes from. */
export async function showUser(deps: Needs, username: string) {
  return (await showTaggedUser(deps, username))?.user;
}

/** The tag changes with the account and with what its roles give. */
export async function showTaggedUser({ db }: Needs, username: string) {
  const account = await findAccount(db, username);
  if (!account) return undefined;
  const book = await readRoleBook(db);
  const contributions = [...contributionsOf(book, account.roles)].map(([permission, roles]) => ({
    permission,
    roles,
  }));
  return { user: { ...userOf(account, book), contributions }, etag: tagOf(account.epoch) };
}

/** Every role, with the number of its members and what it gives. */
export async function showRoles({ db }: Needs, language: Language) {
  const book = await readRoleBook(db);
  const members = await memberCounts(db);
  return [...book.values()].map((it) =>
    roleOf(it, { book, members: members.get(it.name) ?? 0, language })
  );
}

export async function showRole({ db }: Needs, name: string, language: Language) {
  const book = await readRoleBook(db);
  const role = book.get(name);
  if (!role) return undefined;
  const members = (await memberCounts(db)).get(name) ?? 0;
  return { role: roleOf(role, { book, members, language }), etag: tagOf(role.version) };
}

function userOf(
  account: Account,
  book: RoleBook,
) {
  const { username, displayName, email, language, active, claims, roles, ...more } = account;
  return {
    username,
    display_name: displayName,
    email,
    language,
    active,
    claims: wireClaims(claims),
    roles: [...roles],
    permissions: [...permissionSet(effectiveCodes(book, roles)).codes],
    has_password: more.passwordHash !== null,
    last_sign_in: more.lastSignInAt?.toISOString() ?? null,
    created_at: more.createdAt.toISOString(),
  };
}

/** As JSON has them. */
export function wireClaims(claims: Account["claims"]) {
  return Object.fromEntries(
    Object.entries(claims).map(([name, it]) => [name, typeof it === "object" ? [...it] : it]),
  );
}

function roleOf(
  { name, displayName, description, builtIn, inheritsFrom, permissions }: RoleRow,
  { book, members, language }: { book: RoleBook; members: number; language: Language },
) {
  const given = BUILT_IN_TEXTS.get(name);
  return {
    name,
    display_name: given?.displayName[language] ?? displayName,
    description: given?.description[language] ?? description,
    built_in: builtIn,
    inherits_from: inheritsFrom,
    permissions,
    members,
    effective_permissions: [...permissionSet(effectiveCodes(book, [name])).codes],
  };
}
