import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Claims, ClaimValue } from "./claims.ts";
import { coversCode } from "./code.ts";
import { type PermissionSet, permissionSet } from "./permission_set.ts";
import { computeClosure, effectiveCodes, type RoleBook } from "./roles.ts";

/** Properties of an account that decide its permissions and the rows it sees. */
export interface Holdings {
  readonly permissions: Pick<PermissionSet, "codes">;
  /** Values that queries take from the account, by their name in the settings: `claims.company`, `user.email`. */
  readonly values: Readonly<Record<string, ClaimValue>>;
  /** The roles of the account and all roles that these inherit. */
  readonly roles: readonly string[];
}

/** Everything in the settings that chooses the rows of a caller. */
export interface RowRules {
  /** Roles that a `row_filter` names. */
  readonly roles: ReadonlySet<string>;
  /** Values that a parameter or a `row_filter` takes from the caller: `claims.company`. */
  readonly taken: ReadonlySet<string>;
  /** Names of values that a parameter's default replaces if the caller has none. */
  readonly replaced: ReadonlySet<string>;
}

/** First missing right for covering another account. */
type Lack =
  | { readonly kind: "permission"; readonly name: string }
  | { readonly kind: "value"; readonly name: string }
  | { readonly kind: "default"; readonly name: string }
  | { readonly kind: "role"; readonly name: string };

type Coverage = { readonly ok: true } | { readonly ok: false; readonly lack: Lack };

interface HoldingAccount {
  readonly roles: readonly string[];
  readonly claims: Claims;
  readonly email: string | null;
  readonly displayName: string;
}

/** Collects the permissions and values of an account, those of its roles included. */
export function collectHoldings(
  { roles, claims, email, displayName }: HoldingAccount,
  book: RoleBook,
): Holdings {
  const { sub: _, ...own } = claims;
  const named = Object.entries({ ...own, roles }).map(([name, it]) => [`claims.${name}`, it]);
  const values = Object.fromEntries(named) as Record<string, ClaimValue>;
  if (email !== null) values["user.email"] = email;
  return {
    permissions: permissionSet(effectiveCodes(book, roles)),
    values: { ...values, "user.display_name": displayName },
    roles: computeClosure(book, roles),
  };
}

/**
 * Checks whether a holder may do everything that another may do, and see every row that the other sees.
 *
 * - `*` covers everything. Otherwise a code of the holder covers each code of the other.
 * - The holder has each role of the other that a `row_filter` names: such a role only adds rows.
 * - Each value of the other is among the holder's values of that name; a list is the union of its members.
 * - Values are compared as texts, since queries bind them so.
 * - A value that the other lacks shows no rows, unless a default replaces it: then the holder must lack it too.
 * - E-mail, display name and the list of roles count only where the settings use them.
 * - The username never counts: a user who acts for an account acts on that account's own records.
 */
export function covers(holder: Holdings, other: Holdings, rules: RowRules): Coverage {
  const held = holder.permissions.codes;
  if (held.includes("*")) return { ok: true };
  const code = other.permissions.codes.find((it) => !held.some((own) => coversCode(own, it)));
  if (code !== undefined) return { ok: false, lack: { kind: "permission", name: code } };
  const role = other.roles.find((it) => rules.roles.has(it) && !holder.roles.includes(it));
  if (role !== undefined) return { ok: false, lack: { kind: "role", name: role } };
  const value = Object.keys(other.values).find((name) =>
    counts(name, rules) && !isWithin(other.values[name], holder.values[name])
  );
  if (value !== undefined) return { ok: false, lack: { kind: "value", name: value } };
  const missing = [...rules.replaced].find((name) =>
    !Object.hasOwn(other.values, name) && Object.hasOwn(holder.values, name)
  );
  return missing === undefined
    ? { ok: true }
    : { ok: false, lack: { kind: "default", name: missing } };
}

const ALL_ROLES = "claims.roles";

function counts(name: string, { taken }: RowRules): boolean {
  return name.startsWith("claims.") && name !== ALL_ROLES || taken.has(name);
}

function isWithin(other: ClaimValue | undefined, holder: ClaimValue | undefined): boolean {
  const own = getTexts(holder);
  return getTexts(other).every((it) => own.includes(it));
}

function getTexts(value: ClaimValue | undefined): string[] {
  return value === undefined ? [] : typeof value === "object" ? value.map(String) : [String(value)];
}

/** Names a lack as a part of a sentence: "… needs {lack}". */
export function nameLack({ kind, name }: Lack): string | Sentence {
  if (kind === "permission") return name;
  if (kind === "role") return say`the role ${name}, by which a row_filter shows rows`;
  if (kind === "value") return say`the values of ${name}, by which queries choose rows`;
  return say`an account without ${name}, for which a query has a default`;
}
