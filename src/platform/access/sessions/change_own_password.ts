import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { AccessDeps } from "../needs.ts";
import { lockAccount } from "../users/accounts.ts";
import { hashPassword, storePassword } from "../users/change_users.ts";
import { changeAccess } from "../users/change_access.ts";
import { authenticate, isAsChecked } from "./sign_in.ts";
import { moveToEpoch } from "./store.ts";

/**
 * Changes the caller's password. Needs the current password, with the attempt limits of sign-in. The caller's session
 * continues; all others end.
 */
export async function changeOwnPassword(
  deps: AccessDeps,
  { current, password, actor }: { current: string; password: string; actor: Actor },
): Promise<void> {
  const { username, address, session } = actor;
  const checked = await authenticate(deps, { username, password: current, address });
  const passwordHash = await hashPassword(deps, username, password);
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
