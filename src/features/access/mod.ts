export { createAccess } from "./access.ts";
export { changeUser, createUser, revokeSessions, setPassword } from "./change_users.ts";
export { createFirstAdmin, FIRST_USER, makePassword } from "./first_start.ts";
export { concerns } from "./in_turn.ts";
export { readPermissionsOf } from "./read_permissions.ts";
export { showRoles, showUser } from "./views.ts";
