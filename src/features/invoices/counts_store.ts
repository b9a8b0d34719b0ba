import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#src/ports/db.ts";

/** The tables of counts, and what each counts by. */
const COUNTED = [
  [sql`invoice_counts`, sql`direction, status`],
  [sql`invoice_group_counts`, sql`kco, dct, direction, status, payable`],
] as const;

/**
 * Adds up what connections have counted, so that a total is the sum of few rows. What one counts just now is left to it: nobody waits
 * for a transaction here.
 */
export async function mergeCounts(db: Db): Promise<void> {
  for (const [table, by] of COUNTED) await db.execute(merging(table, by));
}

function merging(table: SQL, by: SQL): SQL {
  return sql`
    with free as (select ctid from ${table} where slot <> 0 for update skip locked),
      taken as (delete from ${table} where ctid in (select ctid from free) returning ${by}, n)
    insert into ${table} as c (${by}, slot, n)
      select ${by}, 0, sum(n) from taken group by ${by} order by ${by}
      on conflict (${by}, slot) do update set n = c.n + excluded.n`;
}
