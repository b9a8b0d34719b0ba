import type { LiveEvent } from "#src/ports/live_bus.ts";
import type { LockRow } from "./store.ts";

/** `stolen`: somebody took it over. */
type Reason = "released" | "expired" | "stolen";

export function toldAcquired(row: LockRow): LiveEvent {
  return told(row, "lock.acquired", { expires_at: row.expiresAt.toISOString() });
}

export function toldReleased(row: LockRow, reason: Reason): LiveEvent {
  return told(row, "lock.released", { reason });
}

/** For those who may open the screen; without the token. */
function told(
  { app, screen, key, username, displayName }: LockRow,
  type: string,
  more: object,
): LiveEvent {
  const holder = { username, display_name: displayName };
  return {
    topic: "locks",
    type,
    permission: `screen:${app}:${screen}`,
    data: { app, screen, key, holder, ...more },
  };
}
