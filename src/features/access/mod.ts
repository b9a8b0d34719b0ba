export { mustHold, ownerLookup } from "./acting_owner.ts";
export { createAccess } from "./sessions/access.ts";
export { changeUser, createUser, setPassword } from "./users/change_users.ts";
export { createFirstAdmin, FIRST_USER, makePassword } from "./users/first_start.ts";
export { concerns } from "./users/in_turn.ts";
export { readPermissionsOf } from "./users/accounts.ts";
export { showRoles, showUser } from "./users/views.ts";
export { type Holders, holdersOf } from "./users/holders.ts";
export { codesToRename, renameCodes } from "./users/rename_codes.ts";
