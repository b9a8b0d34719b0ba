import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import { announceChange } from "../users/change_access.ts";
import { endSession } from "./store.ts";

/** Ends the caller's own session: its refresh and access tokens, and its streams. */
export async function signOut(
  deps: Pick<Deps, "clock" | "db" | "live">,
  actor: Actor,
): Promise<void> {
  const { session } = actor;
  if (session === undefined) return;
  await deps.db.transaction(async (tx) => {
    await endSession(tx, session, { at: deps.clock.now(), by: "sign-out" });
    await announceChange(deps, tx, [actor.username]);
    await recordAudit({ ...deps, db: tx }, { actor, event: "auth.signed_out" });
  });
}
