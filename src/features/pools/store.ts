import { sql } from "drizzle-orm";
import { openedPools } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type PoolState = "open" | "closed";

/** Of the pools somebody opened or closed. */
export async function readPoolStates(db: Db): Promise<ReadonlyMap<string, PoolState>> {
  const rows = await db.select({ name: openedPools.name, closed: openedPools.closed })
    .from(openedPools);
  return new Map(rows.map(({ name, closed }) => [name, closed ? "closed" : "open"]));
}

export async function writePoolState(
  db: Db,
  { name, state, by: openedBy }: { name: string; state: PoolState; by: string },
): Promise<void> {
  const closed = state === "closed";
  await db.insert(openedPools).values({ name, openedBy, closed }).onConflictDoUpdate({
    target: openedPools.name,
    set: { openedBy, closed, openedAt: sql`now()` },
  });
}
