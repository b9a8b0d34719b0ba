import { sql } from "drizzle-orm";
import { delay } from "#src/kernel/delay.ts";
import { toMessage } from "#src/kernel/errors.ts";
import type { Clock } from "#src/ports/clock.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";

/** A machine this near to the database is left its own clock, so that its times never step for nothing. */
const TOLERATED_MS = 1_000;
const MEASURE_EVERY_MS = 60_000;

/** A clock that is measured against the database's. */
export interface SharedClock extends Clock {
  /** Offset to add to this machine's clock, in milliseconds. */
  offMs(): number;
  /** Measures again every minute, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * Creates a clock with the database's time, which all processes of a fleet share: this machine's clock plus its
 * measured offset. A correction of more than a second is logged (`clock.off`, ms). The last offset stays in use
 * while the database is unavailable.
 */
export async function databaseClock(
  { db, local, log }: { db: Db; local: Clock; log: Log },
): Promise<SharedClock> {
  let offMs = await measure(db, local);
  if (offMs) log.warn("clock.off", { offMs });
  const again = async () => {
    const found = await measure(db, local);
    if (Math.abs(found - offMs) > TOLERATED_MS) {
      log.warn("clock.off", { offMs: found });
      offMs = found;
    }
  };
  return {
    offMs: () => offMs,
    now: () => new Date(local.now().getTime() + offMs),
    async run(signal) {
      while (!signal.aborted) {
        await delay(MEASURE_EVERY_MS, signal);
        if (signal.aborted) return;
        await again().catch((error) =>
          log.warn("clock.unmeasured", { offMs, error: toMessage(error) })
        );
      }
    },
  };
}

/** Milliseconds to add to the local clock, 0 where it is near enough; half of the round trip is taken as the way there. */
async function measure(db: Db, local: Clock): Promise<number> {
  const [asked, from] = [local.now().getTime(), performance.now()];
  const result = await db.execute(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  const [row] = getRows<{ ms: number }>(result);
  const offMs = Math.round(Number(row?.ms) - asked - (performance.now() - from) / 2);
  return Math.abs(offMs) > TOLERATED_MS ? offMs : 0;
}
