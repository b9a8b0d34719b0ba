import type { LiveEvent, LiveEventType } from "#src/ports/live_bus.ts";
import type { LockRow } from "./store.ts";

/** Reason for the end of a lock. `stolen`: another user took it over. */
type Reason = "released" | "expired" | "stolen";

/** Returns true for a screen that shows some records to only some of its readers. */
export type HidesRecords = (screen: { readonly app: string; readonly screen: string }) => boolean;

export function acquiredEvent(row: LockRow, hides: HidesRecords): LiveEvent {
  return lockEvent(row, hides, { type: "lock.acquired", expires_at: row.expiresAt.toISOString() });
}

export function releasedEvent(row: LockRow, hides: HidesRecords, reason: Reason): LiveEvent {
  return lockEvent(row, hides, { type: "lock.released", reason });
}

/**
 * Builds the event for readers of the screen, without the token. Leaves out the record and its holder when only some
 * readers may see it.
 */
function lockEvent(
  { app, screen, key, username, displayName }: LockRow,
  hides: HidesRecords,
  { type, ...more }: { readonly type: LiveEventType } & Readonly<Record<string, string>>,
): LiveEvent {
  const record = { key, holder: { username, display_name: displayName } };
  return {
    topic: "locks",
    type,
    permission: `screen:${app}:${screen}`,
    data: { app, screen, ...hides({ app, screen }) ? {} : record, ...more },
  };
}
