import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";

/** What is known of users who are not there: rules act in the name of whoever wrote them. */
export interface Accounts {
  /** False while authentication is off: nobody has an account. */
  readonly enabled: boolean;
  /** What the user may do at this moment; nothing when unknown or inactive. */
  permissionsOf(username: string): Promise<PermissionSet>;
  emailOf(username: string): Promise<string | undefined>;
}

/** For `AUTH=off`: everybody may do everything. */
export const noAccounts: Accounts = {
  enabled: false,
  permissionsOf: () => Promise.resolve(permissionSet(["*"])),
  emailOf: () => Promise.resolve(undefined),
};
