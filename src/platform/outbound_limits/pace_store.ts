import { sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";

/** Number of calls to a peer that may start in each period. */
export interface Pace {
  readonly calls: number;
  readonly perMs: number;
}

/**
 * Counts one call in the current period of the database's clock. Resolves to undefined, or to the milliseconds until
 * the next period when this one is full.
 */
export async function takeRateSlot(
  db: Db,
  name: string,
  { calls, perMs }: Pace,
): Promise<number | undefined> {
  const span = sql`${perMs} * interval '1 millisecond'`;
  const result = await db.execute(sql`
    insert into paces as p (name, begun_at, taken) values (${name}, now(), 1)
    on conflict (name) do update set
      begun_at = case when p.begun_at <= now() - ${span} then now() else p.begun_at end,
      taken = case when p.begun_at <= now() - ${span} then 1 else p.taken + 1 end
      where p.begun_at <= now() - ${span} or p.taken < ${calls}
    returning taken`);
  if (getRows(result).length) return undefined;
  const full = await db.execute(sql`
    select ceil(greatest(1, extract(epoch from begun_at + ${span} - now()) * 1000))::int as "waitMs"
    from paces where name = ${name}`);
  return getRows<{ waitMs: number }>(full)[0]?.waitMs ?? 1;
}
