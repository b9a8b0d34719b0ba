import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";
import type { Text } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "./access.ts";

/**
 * What users may do who are not signed in: rules, schedules and e-mails act later, with the rights of whoever saved
 * them.
 */
export interface Accounts {
  /** Who somebody is who acts later, as of now; undefined when unknown or inactive. */
  actorOf(username: string): Promise<Actor | undefined>;
  /** False while authentication is off: nobody has an account. */
  readonly enabled: boolean;
  /** What the user may do at this moment; nothing when unknown or inactive. */
  permissionsOf(username: string): Promise<PermissionSet>;
  /** The user's roles at this moment and all that these inherit from; none when unknown or inactive. */
  rolesOf(username: string): Promise<readonly string[]>;
  emailOf(username: string): Promise<string | undefined>;
  /** Of an active user, or of all active users who have a role. */
  emailsOf(userOrRole: string): Promise<readonly string[]>;
  /** Whether there is an active user or a role of this name. */
  knows(who: { readonly kind: "user" | "role"; readonly name: string }): Promise<boolean>;
}

/** Whoever calls while authentication is off. */
export const EVERYBODY: Actor = {
  username: "anonymous",
  roles: ["admin"],
  permissions: permissionSet(["*"]),
};

/** What a sentence calls somebody: a name, or the word for whoever calls while authentication is off. */
export function calledBy({ username }: Pick<Actor, "username">): string | Text {
  return username === EVERYBODY.username ? { fr: "anonyme", en: username } : username;
}

/** For `AUTH=off`: everybody may do everything. */
export const noAccounts: Accounts = {
  actorOf: () => Promise.resolve(EVERYBODY),
  enabled: false,
  permissionsOf: () => Promise.resolve(permissionSet(["*"])),
  rolesOf: () => Promise.resolve([ADMIN_ROLE]),
  emailOf: () => Promise.resolve(undefined),
  emailsOf: () => Promise.resolve([]),
  knows: () => Promise.resolve(true),
};
