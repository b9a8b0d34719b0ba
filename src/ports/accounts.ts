import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import type { Holdings } from "#src/domain/permission/holdings.ts";
import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";
import type { Text } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "./access.ts";

/**
 * Rights of users who are not signed in: rules, schedules and e-mails act later, with the rights of the user who
 * saved them.
 */
export interface Accounts {
  /** Returns a user who acts later, with current rights; undefined when unknown or inactive. */
  actorOf(username: string): Promise<Actor | undefined>;
  /** Returns everything that an active user holds at this moment; undefined when unknown or inactive. */
  holdingsOf(username: string): Promise<Holdings | undefined>;
  /** False while authentication is off: accounts do not exist then. */
  readonly enabled: boolean;
  /** Returns the user's current permissions; none when unknown or inactive. */
  permissionsOf(username: string): Promise<PermissionSet>;
  /** Returns the user's current roles with all inherited ones; none when unknown or inactive. */
  rolesOf(username: string): Promise<readonly string[]>;
  emailOf(username: string): Promise<string | undefined>;
  /** Returns the addresses of an active user, or of all active users with a role. */
  emailsOf(userOrRole: string): Promise<readonly string[]>;
  /** Checks that an active user or a role of this name exists. */
  knows(who: { readonly kind: "user" | "role"; readonly name: string }): Promise<boolean>;
}

/** Actor of all calls while authentication is off. */
export const EVERYBODY: Actor = {
  username: "anonymous",
  roles: ["admin"],
  permissions: permissionSet(["*"]),
};

/** Returns a user's name for sentences, or a word for the anonymous caller while authentication is off. */
export function calledBy({ username }: Pick<Actor, "username">): string | Text {
  return username === EVERYBODY.username ? { fr: "anonyme", en: username } : username;
}

/** Accounts for `AUTH=off`: every caller may do everything. */
export const noAccounts: Accounts = {
  actorOf: () => Promise.resolve(EVERYBODY),
  holdingsOf: () => {
    const { permissions, roles } = EVERYBODY;
    return Promise.resolve({ permissions, roles, values: {} });
  },
  enabled: false,
  permissionsOf: () => Promise.resolve(permissionSet(["*"])),
  rolesOf: () => Promise.resolve([ADMIN_ROLE]),
  emailOf: () => Promise.resolve(undefined),
  emailsOf: () => Promise.resolve([]),
  knows: () => Promise.resolve(true),
};
