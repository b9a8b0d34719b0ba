import { randomInt } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { problemOfPassword } from "#src/domain/permission/account.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { changeAccess } from "./change_access.ts";
import { hasUsers, insertUser, replaceRoles } from "./user_store.ts";

/** The administrator the first start creates. */
export const FIRST_USER = "admin";
type FirstStartDeps = Pick<Deps, "clock" | "db" | "live" | "passwords" | "settings">;

/**
 * Creates the first administrator when no users exist. Resolves to the generated password, to be shown once; undefined
 * when a password was given or users exist. Several processes may start at once. `also` runs in the same transaction.
 */
export async function createFirstAdmin(
  deps: FirstStartDeps,
  given: string | undefined,
  also: (tx: Db) => Promise<void> = () => Promise.resolve(),
): Promise<string | undefined> {
  if (await hasUsers(deps.db)) return undefined;
  const password = given ?? makePassword();
  const { minPasswordLength: minLength } = deps.settings.access;
  const problem = problemOfPassword(password, { username: FIRST_USER, minLength });
  if (problem) throw new AppError("refused", say`ADMIN_PASSWORD: ${problem}`);
  const passwordHash = await deps.passwords.hash(password);
  const created = await changeAccess(deps, async (tx) => {
    if (await hasUsers(tx)) return false;
    const user = {
      username: FIRST_USER,
      displayName: "", // empty because any word would be in one language; the username is shown until a name is set
      passwordHash,
      passwordChangedAt: deps.clock.now(),
    };
    await insertUser(tx, user);
    await replaceRoles(tx, FIRST_USER, [ADMIN_ROLE]);
    const actor = { username: "first start" };
    await recordAudit({ ...deps, db: tx }, {
      actor,
      event: "user.created",
      target: FIRST_USER,
      after: { roles: [ADMIN_ROLE] },
    });
    await also(tx);
    return true;
  });
  return created && given === undefined ? password : undefined;
}

const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"; // none that look alike

/** 24 characters in four groups, about 138 bits. */
export function makePassword(): string {
  const group = () => Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}
