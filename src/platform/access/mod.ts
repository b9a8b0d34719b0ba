export { checkOwnerHolds, ownerLookup } from "./acting_owner.ts";
export { createAccess } from "./sessions/access.ts";
export { changeUser, createUser, setPassword } from "./users/change_users.ts";
export { createFirstAdmin, FIRST_USER, makePassword } from "./users/first_start.ts";
export { concerns } from "./users/change_access.ts";
export {
  readActor,
  readEmails,
  readHoldings,
  readPermissions,
  readRoles,
} from "./users/accounts.ts";
export { readRoleBook } from "./users/role_store.ts";
export { showRoles, showUser } from "./users/views.ts";
export { findHolders, type Holders } from "./users/holders.ts";
export { codesToRename, renameCodes, rolesThatGain } from "./users/rename_codes.ts";
