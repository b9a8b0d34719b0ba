import { and, eq, gt, lte, sql } from "drizzle-orm";
import { aiShares } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type ShareRow = typeof aiShares.$inferSelect;

/** Replaces the conversation's link, and deletes expired links. */
export async function putShare(
  db: Db,
  { days, ...row }: Omit<typeof aiShares.$inferInsert, "expiresAt" | "createdAt"> & {
    readonly days: number;
  },
): Promise<ShareRow> {
  await db.delete(aiShares).where(lte(aiShares.expiresAt, sql`now()`));
  const values = {
    ...row,
    createdAt: sql`now()`,
    expiresAt: sql`now() + make_interval(days => ${days})`,
  };
  const [put] = await db.insert(aiShares).values(values)
    .onConflictDoUpdate({ target: aiShares.conversationId, set: values }).returning();
  return put as ShareRow;
}

/** Returns false when the link did not exist. */
export async function deleteShare(db: Db, conversationId: string): Promise<boolean> {
  const rows = await db.delete(aiShares).where(eq(aiShares.conversationId, conversationId))
    .returning({ id: aiShares.conversationId });
  return rows.length === 1;
}

export async function findShare(db: Db, tokenHash: string): Promise<ShareRow | undefined> {
  const [row] = await db.select().from(aiShares)
    .where(and(eq(aiShares.tokenHash, tokenHash), gt(aiShares.expiresAt, sql`now()`)));
  return row;
}
