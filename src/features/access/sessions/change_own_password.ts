import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { AccessNeeds } from "../needs.ts";
import { lockAccount } from "../users/accounts.ts";
import { hashOf, storePassword } from "../users/change_users.ts";
import { changeAccess } from "../users/change_access.ts";
import { checkPassword, isAsChecked } from "./sign_in.ts";
import { moveToEpoch } from "./store.ts";

/** Needs the current password, guessed no faster than at sign-in; the session that asks goes on, all others end. */
export async function changeOwnPassword(
  deps: AccessNeeds,
  { current, password, actor }: { current: string; password: string; actor: Actor },
): Promise<void> {
  const { username, address, session } = actor;
  const checked = await checkPassword(deps, { username, password: current, address });
  const passwordHash = await hashOf(deps, username, password);
  await changeAccess(deps, async (tx) => {
    if (!isAsChecked(checked, await lockAccount(tx, username))) {
      throw new AppError("conflict", say`The password was changed meanwhile`);
    }
    await storePassword({ ...deps, db: tx }, {
      username,
      passwordHash,
      by: actor,
      ...session !== undefined && { keep: (epoch) => moveToEpoch(tx, session, epoch) },
    });
  }, [username]);
}
