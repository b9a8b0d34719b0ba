import {
  readActor,
  readEmails,
  readPermissionsOf,
  readRoleBook,
  readRolesOf,
  showUser,
} from "#src/features/access/mod.ts";
import { type Accounts, noAccounts } from "#src/ports/accounts.ts";
import type { Db } from "#src/ports/db.ts";

/** What rules and schedules ask about the people in whose name they act. */
export function composeAccounts(auth: boolean, db: Db): Accounts {
  if (!auth) return noAccounts;
  return {
    enabled: true,
    actorOf: (username) => readActor({ db }, username),
    emailsOf: (userOrRole) => readEmails({ db }, userOrRole),
    permissionsOf: (username) => readPermissionsOf({ db }, username),
    rolesOf: (username) => readRolesOf({ db }, username),
    async emailOf(username) {
      const user = await showUser({ db }, username);
      return user?.active ? user.email ?? undefined : undefined;
    },
    async knows({ kind, name }) {
      return kind === "user"
        ? (await showUser({ db }, name))?.active ?? false
        : (await readRoleBook(db)).has(name);
    },
  };
}
