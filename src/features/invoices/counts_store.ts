import { type SQL, sql } from "drizzle-orm";
import type { Db } from "#src/ports/db.ts";

/** The tables of counts, and what each counts by. */
const COUNTED = [
  [sql`invoice_counts`, sql`direction, status`],
  [sql`invoice_group_counts`, sql`kco, dct, direction, status`],
] as const;

/** Adds up the counters that closed connections left behind, so that a total is the sum of few rows. */
export async function mergeCounts(db: Db): Promise<void> {
  for (const [table, by] of COUNTED) await db.execute(merging(table, by));
}

function merging(table: SQL, by: SQL): SQL {
  return sql`
    with gone as (
      delete from ${table} where slot <> 0 and slot not in (select pid from pg_stat_activity)
      returning ${by}, n)
    insert into ${table} as c (${by}, slot, n)
      select ${by}, 0, sum(n) from gone group by ${by} order by ${by}
      on conflict (${by}, slot) do update set n = c.n + excluded.n`;
}
