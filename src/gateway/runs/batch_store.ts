import { and, asc, eq, gte, sql } from "drizzle-orm";
import { runItems, runs } from "#drizzle/schema/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";

const LOCK = 6_130_001;

/** Locks the batches: one transaction at a time takes the next batch. */
export async function lockBatches(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
}

/**
 * Returns the run to work on next. Chooses the user whose runs have waited longest, then the user's longest waiting
 * run. Returns undefined when no run has invoices left.
 */
export async function nextRun(tx: Db): Promise<{ id: string; nextItem: number } | undefined> {
  const [row] = getRows<{ id: string; next_item: number }>(
    await tx.execute(sql`
    select id, next_item from (
      select id, next_item, total, served_at,
        max(served_at) over (partition by started_by) as user_served_at
      from runs where state = 'processing') as under_way
    where next_item < total
    order by user_served_at, served_at, id limit 1`),
  );
  return row && { id: row.id, nextItem: row.next_item };
}

/** The next items of a run with their size in bytes, the text around each included. */
export async function itemsFrom(
  tx: Db,
  runId: string,
  { from, limit }: { from: number; limit: number },
): Promise<{ index: number; bytes: number }[]> {
  const around = (name: "Open" | "Close") =>
    sql`coalesce(octet_length(${runItems[`envelope${name}`]}), octet_length(${
      runs[`envelope${name}`]
    }), 0)`;
  return await tx.select({
    index: runItems.index,
    bytes: sql<number>`(${runItems.length} + ${around("Open")} + ${around("Close")})::int`,
  }).from(runItems).innerJoin(runs, eq(runs.id, runItems.runId))
    .where(and(eq(runItems.runId, runId), gte(runItems.index, from)))
    .orderBy(asc(runItems.index)).limit(limit);
}

export async function markServed(tx: Db, runId: string, nextItem: number): Promise<void> {
  await tx.update(runs).set({ nextItem, servedAt: sql`clock_timestamp()` })
    .where(eq(runs.id, runId));
}
