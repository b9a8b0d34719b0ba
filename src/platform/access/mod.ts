export { checkOwnerHolds, ownerLookup } from "./acting_owner.ts";
export { createAccess } from "./sessions/access.ts";
export {
  changeUser,
  checkMayHave,
  createUser,
  hashPassword,
  setPassword,
  storePassword,
} from "./users/change_users.ts";
export { createFirstAdmin, FIRST_USER, makePassword } from "./users/first_start.ts";
export { changeAccess, concerns } from "./users/change_access.ts";
export { limitUses } from "./sessions/throttle.ts";
export {
  type Account,
  findAccount,
  readActor,
  readEmails,
  readHoldings,
  readPermissions,
  readRoles,
} from "./users/accounts.ts";
export { countActiveUsers, hasAdministrator, isUnused } from "./users/user_store.ts";
export { readRoleBook } from "./users/role_store.ts";
export { showRoles, showUser } from "./users/views.ts";
export { findHolders, type Holders } from "./users/holders.ts";
export { codesToRename, renameCodes, rolesThatGain } from "./users/rename_codes.ts";
