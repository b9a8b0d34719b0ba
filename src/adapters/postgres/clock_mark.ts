import { sql } from "drizzle-orm";
import { delay } from "#src/kernel/delay.ts";
import { toMessage } from "#src/kernel/errors.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";

const MARK_EVERY_MS = 60_000;

/**
 * Records the database's time. If its clock was put back by more than a minute, later due times, leases and locks
 * move back by as much. The database does this itself, and `clock.put_back` is logged.
 */
export async function markClock(db: Db, log?: Log): Promise<void> {
  const [found] = getRows<{ seconds: number; moved: number }>(
    await db.execute(sql`select seconds, moved_rows as moved from passerelle_note_clock()`),
  );
  if (found?.seconds) log?.error("clock.put_back", found);
}

/** Does so every minute until the signal aborts. */
export async function keepMarkingClock(db: Db, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(MARK_EVERY_MS, signal);
    if (signal.aborted) return;
    await markClock(db, log).catch((error) =>
      log.warn("clock.unmarked", { error: toMessage(error) })
    );
  }
}
