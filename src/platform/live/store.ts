import { and, eq, gt, lte, sql } from "drizzle-orm";
import { liveTickets } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export async function insertTicket(
  db: Db,
  { hash, authorization, seconds }: { hash: string; authorization: string; seconds: number },
): Promise<void> {
  await db.delete(liveTickets).where(lte(liveTickets.expiresAt, sql`now()`));
  const expiresAt = sql`now() + ${seconds} * interval '1 second'`;
  await db.insert(liveTickets).values({ hash, authorization, expiresAt });
}

/** Redeems a ticket; of two concurrent calls only one gets it. */
export async function takeTicket(db: Db, hash: string): Promise<string | undefined> {
  const [row] = await db.delete(liveTickets)
    .where(and(eq(liveTickets.hash, hash), gt(liveTickets.expiresAt, sql`now()`)))
    .returning({ authorization: liveTickets.authorization });
  return row?.authorization;
}
