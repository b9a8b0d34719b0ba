import { sql } from "drizzle-orm";
import { uploadUsage } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

/** Adds to the user's uploads of today (UTC). Returns false, and adds nothing, when the sum would pass the limit. */
export async function takeQuota(
  db: Db,
  username: string,
  { bytes, limit }: { bytes: number; limit: number },
): Promise<boolean> {
  if (bytes > limit) return false;
  const rows = await db.insert(uploadUsage)
    .values({ username, day: sql`(now() at time zone 'UTC')::date`, bytes })
    .onConflictDoUpdate({
      target: [uploadUsage.username, uploadUsage.day],
      set: { bytes: sql`${uploadUsage.bytes} + ${bytes}` },
      setWhere: sql`${uploadUsage.bytes} + ${bytes} <= ${limit}`,
    }).returning({ bytes: uploadUsage.bytes });
  return rows.length === 1;
}

/** Deletes the usage of past days. */
export async function pruneQuotas(db: Db): Promise<void> {
  await db.delete(uploadUsage).where(
    sql`${uploadUsage.day} < (now() at time zone 'UTC')::date - 1`,
  );
}

/** Returns unused quota. */
export async function returnQuota(db: Db, username: string, bytes: number): Promise<void> {
  if (bytes > 0) {
    await db.update(uploadUsage).set({ bytes: sql`greatest(0, ${uploadUsage.bytes} - ${bytes})` })
      .where(
        sql`${uploadUsage.username} = ${username} and ${uploadUsage.day} = (now() at time zone 'UTC')::date`,
      );
  }
}
