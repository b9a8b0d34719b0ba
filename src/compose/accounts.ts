import {
  readActor,
  readEmails,
  readHoldings,
  readPermissions,
  readRoleBook,
  readRoles,
  showUser,
} from "#src/platform/access/mod.ts";
import { type Accounts, noAccounts } from "#src/ports/accounts.ts";
import type { Db } from "#src/ports/db.ts";

/** Answers the questions of rules and schedules about the users they act for. */
export function composeAccounts(auth: boolean, db: Db): Accounts {
  if (!auth) return noAccounts;
  return {
    enabled: true,
    actorOf: (username) => readActor({ db }, username),
    holdingsOf: (username) => readHoldings({ db }, username),
    emailsOf: (userOrRole) => readEmails({ db }, userOrRole),
    permissionsOf: (username) => readPermissions({ db }, username),
    rolesOf: (username) => readRoles({ db }, username),
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
