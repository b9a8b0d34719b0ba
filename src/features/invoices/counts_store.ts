import { sql } from "drizzle-orm";
import type { Db } from "#src/ports/db.ts";

/** Adds up the counters that closed connections left behind, so that a total is the sum of few rows. */
export async function mergeCounts(db: Db): Promise<void> {
  await db.execute(sql`
    with gone as (
      delete from invoice_counts where slot <> 0 and slot not in (select pid from pg_stat_activity)
      returning direction, status, n)
    insert into invoice_counts as c (direction, status, slot, n)
      select direction, status, 0, sum(n) from gone group by direction, status order by direction, status
      on conflict (direction, status, slot) do update set n = c.n + excluded.n`);
}
