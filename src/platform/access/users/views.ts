import type { Deps } from "#src/deps.ts";
import { BUILT_IN_TEXTS } from "#src/domain/permission/given_roles.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import {
  collectContributions,
  effectiveCodes,
  type RoleBook,
} from "#src/domain/permission/roles.ts";
import type { Language } from "#src/kernel/language.ts";
import { toEtag } from "#src/kernel/etag.ts";
import { foldText } from "#src/kernel/text.ts";
import { readRoleBook, type RoleRow } from "./role_store.ts";
import { type Account, findAccount, listAccounts, memberCounts } from "./user_store.ts";

type ViewsDeps = Pick<Deps, "db">;

interface UserFilter {
  readonly search?: string | undefined;
  readonly role?: string | undefined;
  readonly active?: boolean | undefined;
}

/** Lists the users that match every given filter. */
export async function showUsers({ db }: ViewsDeps, { search = "", role, active }: UserFilter) {
  const book = await readRoleBook(db);
  const sought = foldText(search.trim());
  const accounts = (await listAccounts(db)).filter((it) =>
    (role === undefined || it.roles.includes(role)) &&
    (active === undefined || it.active === active)
  );
  return accounts.map((it) => getUser(it, book)).filter((it) =>
    [it.username, it.display_name, it.email ?? ""].some((text) => foldText(text).includes(sought))
  );
}

/** Shows a user, with the roles each permission comes from. */
export async function showUser(deps: ViewsDeps, username: string) {
  return (await showTaggedUser(deps, username))?.user;
}

/** The tag changes with the account and with what its roles give. */
export async function showTaggedUser({ db }: ViewsDeps, username: string) {
  const account = await findAccount(db, username);
  if (!account) return undefined;
  const book = await readRoleBook(db);
  const contributions = [...collectContributions(book, account.roles)].map((
    [permission, roles],
  ) => ({
    permission,
    roles,
  }));
  return { user: { ...getUser(account, book), contributions }, etag: toEtag(account.epoch) };
}

/** Lists every role, with its permissions and number of members. */
export async function showRoles({ db }: ViewsDeps, language: Language) {
  const book = await readRoleBook(db);
  const members = await memberCounts(db);
  return [...book.values()].map((it) =>
    getRole(it, { book, members: members.get(it.name) ?? 0, language })
  );
}

export async function showRole({ db }: ViewsDeps, name: string, language: Language) {
  const book = await readRoleBook(db);
  const role = book.get(name);
  if (!role) return undefined;
  const members = (await memberCounts(db)).get(name) ?? 0;
  return { role: getRole(role, { book, members, language }), etag: toEtag(role.version) };
}

function getUser(
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

/** Returns claims in JSON form. */
export function wireClaims(claims: Account["claims"]) {
  return Object.fromEntries(
    Object.entries(claims).map(([name, it]) => [name, typeof it === "object" ? [...it] : it]),
  );
}

function getRole(
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
