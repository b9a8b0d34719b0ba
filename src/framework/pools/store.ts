import { sql } from "drizzle-orm";
import { openedPools } from "#drizzle/schema/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";

export type PoolState = "open" | "closed";

/** Returns the states of manually opened or closed pools. */
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

/** Returns the time of the product's own database, in ISO 8601. */
export async function readMoment(db: Db): Promise<string> {
  const [row] = getRows<{ at: string }>(
    await db.execute(
      sql`select to_char(current_timestamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
    ),
  );
  if (!row) throw new Error("The database does not tell the time");
  return row.at;
}
