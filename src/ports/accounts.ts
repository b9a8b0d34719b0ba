import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";

/** What is known of users who are not there: what acts later acts in the name of whoever saved it. */
export interface Accounts {
  /** False while authentication is off: nobody has an account. */
  readonly enabled: boolean;
  /** What the user may do at this moment; nothing when unknown or inactive. */
  permissionsOf(username: string): Promise<PermissionSet>;
  emailOf(username: string): Promise<string | undefined>;
  /** Whether there is an active user or a role of this name. */
  knows(who: { readonly kind: "user" | "role"; readonly name: string }): Promise<boolean>;
}

/** For `AUTH=off`: everybody may do everything. */
export const noAccounts: Accounts = {
  enabled: false,
  permissionsOf: () => Promise.resolve(permissionSet(["*"])),
  emailOf: () => Promise.resolve(undefined),
  knows: () => Promise.resolve(true),
};
