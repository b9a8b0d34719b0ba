import { recordAudit } from "#src/platform/audit/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";
import type { AccessDeps } from "../needs.ts";
import { endSessions, findAccount } from "../users/accounts.ts";
import { changeAccess } from "../users/change_access.ts";
import { countOpen } from "./store.ts";

/** Resolves to the number of sessions that were open. */
export async function revokeSessions(
  deps: AccessDeps,
  username: string,
  by: Actor,
): Promise<number> {
  return await changeAccess(deps, async (tx) => {
    const account = await findAccount(tx, username);
    if (!account) throw notFound("User", username);
    const open = { username, epoch: account.sessionEpoch };
    const sessions = await countOpen(tx, open, deps.clock.now());
    await endSessions(tx, username);
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "user.sessions_revoked",
      target: username,
      after: { sessions },
    });
    return sessions;
  }, [username]);
}
