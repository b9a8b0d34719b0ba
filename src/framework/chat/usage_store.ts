import { sql } from "drizzle-orm";
import { aiUsage } from "#drizzle/schema/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";

const today = sql`(now() at time zone 'UTC')::date`;

/**
 * Adds tokens to the user's use of today (UTC). Returns false, and adds nothing, when the limit is reached already. The
 * last answer of a day may exceed the limit, because its size is unknown before.
 */
export async function takeTokens(
  db: Db,
  username: string,
  { tokens, limit }: { tokens: number; limit: number },
): Promise<boolean> {
  await db.delete(aiUsage).where(sql`${aiUsage.day} < ${today} - 7`);
  const rows = await db.insert(aiUsage).values({ username, day: today, tokens })
    .onConflictDoUpdate({
      target: [aiUsage.username, aiUsage.day],
      set: { tokens: sql`${aiUsage.tokens} + ${tokens}` },
      setWhere: sql`${aiUsage.tokens} < ${limit}`,
    }).returning({ tokens: aiUsage.tokens });
  return rows.length === 1;
}

/** Corrects the reserved tokens by the difference to the actual use, which may be negative. */
export async function settleTokens(db: Db, username: string, tokens: number): Promise<void> {
  if (tokens === 0) return;
  await db.update(aiUsage).set({ tokens: sql`greatest(0, ${aiUsage.tokens} + ${tokens})` })
    .where(sql`${aiUsage.username} = ${username} and ${aiUsage.day} = ${today}`);
}

/** Returns the seconds until the count restarts. */
export async function secondsLeftOfDay(db: Db): Promise<number> {
  const [row] = getRows<{ seconds: number }>(
    await db.execute(
      sql`select ceil(extract(epoch from (${today} + 1)::timestamp - now() at time zone 'UTC'))::int as seconds`,
    ),
  );
  return row?.seconds ?? 0;
}
