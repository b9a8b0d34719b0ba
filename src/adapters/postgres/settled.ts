import { sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";

/**
 * Returns the number (`xid8`) below which all transactions of this database have ended, at most `next`.
 * `pg_snapshot_xmin` covers all databases of the server, and a transaction in another one may take hours.
 *
 * `next` must be the next number of some time ago: a session gets its number a moment before the lock that shows
 * it.
 */
export async function settledBelow(db: Db, next: number): Promise<number> {
  const result = await db.execute(sql`
    with under_way as (
      select l.transactionid::text::bigint as low from pg_locks l
      where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and (
        exists (select 1 from pg_stat_activity a where a.pid = l.pid and a.datname = current_database())
        or exists (select 1 from pg_prepared_xacts p
          where p.transaction = l.transactionid and p.database = current_database()))
      union all
      select backend_xid::text::bigint from pg_stat_activity
      where datname = current_database() and backend_xid is not null
    ), ages as (
      -- these numbers are the lower half of the whole one; what seems older than half of them all began after it
      select (${next}::bigint - low) & 4294967295 as age from under_way
    )
    select ${next}::bigint - coalesce(max(age), 0) as settled from ages where age < 2147483648`);
  return Number(getRows<{ settled: string }>(result)[0]?.settled ?? 0);
}
