import { sql } from "drizzle-orm";
import { aiUsage } from "#drizzle/schema/mod.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";

const today = sql`(now() at time zone 'UTC')::date`;

/**
 * Adds to what the user has used today (UTC); false, and nothing added, where that is the limit already. What the last answer of
 * a day takes is not known before, so it may pass the limit.
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

/** What was used beside what was taken; less than nothing where less was used. */
export async function settleTokens(db: Db, username: string, tokens: number): Promise<void> {
  if (tokens === 0) return;
  await db.update(aiUsage).set({ tokens: sql`greatest(0, ${aiUsage.tokens} + ${tokens})` })
    .where(sql`${aiUsage.username} = ${username} and ${aiUsage.day} = ${today}`);
}

/** Until tokens count anew. */
export async function secondsLeftOfDay(db: Db): Promise<number> {
  const [row] = rowsOf<{ seconds: number }>(
    await db.execute(
      sql`select ceil(extract(epoch from (${today} + 1)::timestamp - now() at time zone 'UTC'))::int as seconds`,
    ),
  );
  return row?.seconds ?? 0;
}
