import { recordAudit } from "#src/platform/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import type { AccessDeps } from "../needs.ts";
import { endSessions, findAccount } from "../users/accounts.ts";
import { announceChange, changeAccess } from "../users/change_access.ts";
import { countOpen, endSession } from "./store.ts";

/** Ends the caller's own session, or all of theirs: refresh and access tokens, and streams. */
export async function signOut(
  deps: AccessDeps,
  { actor, everywhere }: { actor: Actor; everywhere: boolean },
): Promise<void> {
  if (actor.session === undefined) return;
  if (everywhere) await endAll(deps, actor);
  else await endOne(deps, actor, actor.session);
}

async function endOne(deps: AccessDeps, actor: Actor, session: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await endSession(tx, session, { at: deps.clock.now(), by: "sign-out" });
    await announceChange(deps, tx, [actor.username]);
    await recordAudit({ ...deps, db: tx }, { actor, event: "auth.signed_out" });
  });
}

async function endAll(deps: AccessDeps, actor: Actor): Promise<void> {
  const { username } = actor;
  await changeAccess(deps, async (tx) => {
    const account = await findAccount(tx, username);
    const open = { username, epoch: account?.sessionEpoch ?? 0 };
    const sessions = await countOpen(tx, open, deps.clock.now());
    await endSessions(tx, username);
    await recordAudit({ ...deps, db: tx }, {
      actor,
      event: "auth.signed_out",
      target: username,
      after: { sessions },
    });
  }, [username]);
}
