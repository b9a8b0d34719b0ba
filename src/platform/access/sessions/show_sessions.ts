import { notFound } from "#src/kernel/errors.ts";
import type { AccessDeps } from "../needs.ts";
import { findAccount } from "../users/accounts.ts";
import { countOpen, listOpen } from "./store.ts";

/** The sessions of a user that are open, the newest first; a blocked user has none. */
export async function showSessions(
  { clock, db }: Pick<AccessDeps, "clock" | "db">,
  username: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const account = await findAccount(db, username);
  if (!account) throw notFound("User", username);
  if (!account.active) return { sessions: [], total: 0, limit, offset };
  const open = { username, epoch: account.sessionEpoch };
  const now = clock.now();
  const rows = await listOpen(db, open, { now, limit, offset });
  const sessions = rows.map(({ createdAt, expiresAt, method, address }) => ({
    began_at: createdAt.toISOString(),
    ends_at: expiresAt.toISOString(),
    method,
    address,
  }));
  return { sessions, total: await countOpen(db, open, now), limit, offset };
}
