import { randomInt } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { problemOfPassword } from "#src/domain/permission/account.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { changeAccess } from "./change_access.ts";
import { hasUsers, insertUser, replaceRoles } from "./user_store.ts";

/** The administrator the first start creates. */
export const FIRST_USER = "admin";
type Needs = Pick<Deps, "clock" | "db" | "live" | "passwords" | "settings">;

/**
 * Creates the first administrator where there are no users at all. Resolves to the password made for it, to be shown
 * once; undefined when one was given or nobody had to be created. Several processes may start at once.
 */
export async function createFirstAdmin(
  deps: Needs,
  given: string | undefined,
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
      displayName: "", // a word would be of one language; it is called by its username until it has a name
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
