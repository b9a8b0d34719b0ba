import { sql } from "drizzle-orm";
import { dailyUsage } from "#drizzle/schema/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { type Db, getRows, takesNoWrites } from "#src/ports/db.ts";
import { KB } from "./intake.ts";

interface Usage {
  /** Quota: answers stored for `Idempotency-Key`, or bodies of calls that write. */
  readonly what: "answers" | "writes";
  readonly username: string;
  readonly bytes: number;
}

interface Quota {
  /** Bytes that a user may use per day (UTC). */
  readonly most: number;
  readonly refusal: Sentence;
}

const TODAY = sql`(now() at time zone 'UTC')::date`;
const used = dailyUsage.bytes;

/** Counts bytes against the user's daily quota. Over the quota it throws AppError `throttled` and counts nothing. */
export async function takeUsage(
  db: Db,
  { what, username, bytes }: Usage,
  { most, refusal }: Quota,
): Promise<void> {
  await db.delete(dailyUsage).where(sql`${dailyUsage.day} < ${TODAY}`);
  const taken = bytes <= most && await db.insert(dailyUsage)
    .values({ what, username, day: TODAY, bytes })
    .onConflictDoUpdate({
      target: [dailyUsage.what, dailyUsage.username, dailyUsage.day],
      set: { bytes: sql`${used} + ${bytes}` },
      setWhere: sql`${used} + ${bytes} <= ${most}`,
    }).returning({ username: dailyUsage.username });
  if (taken && taken.length) return;
  const [left] = getRows<{ seconds: number }>(
    await db.execute(sql`
    select ceil(extract(epoch from ${TODAY} + 1 - (now() at time zone 'UTC')))::int as seconds`),
  );
  throw new AppError("throttled", refusal, { retryAfter: Math.max(1, left?.seconds ?? 1) });
}

/** Counts bytes that were already written. */
export async function addUsage(db: Db, { what, username, bytes }: Usage): Promise<void> {
  await db.update(dailyUsage).set({ bytes: sql`${used} + ${bytes}` }).where(
    sql`${dailyUsage.what} = ${what} and ${dailyUsage.username} = ${username} and ${dailyUsage.day} = ${TODAY}`,
  );
}

/** Minimum size counted for a call that writes: its rows and its audit entry. */
const WRITE_BYTES = 16 * KB;

/** Counts a call that writes before it runs; `bytes` is the size of its body. */
export type CountWrite = (username: string, bytes: number) => Promise<void>;

/**
 * Limits the bytes each user writes per day, over all tables. With a read-only database it counts nothing, so that the
 * call itself reports the error.
 */
export function writesWithin({ db, most }: { db: Db; most: number }): CountWrite {
  return async (username, bytes) => {
    const refusal =
      say`The calls of ${username} that write exceed ${most} bytes today: try again tomorrow (UTC), or raise UPLOAD_DAILY_MB`;
    try {
      const taken = Math.max(bytes, WRITE_BYTES);
      await takeUsage(db, { what: "writes", username, bytes: taken }, { most, refusal });
    } catch (error) {
      if (!takesNoWrites(error)) throw error;
    }
  };
}
