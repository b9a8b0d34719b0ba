import { sql } from "drizzle-orm";
import { type Db, rowsOf } from "#src/ports/db.ts";

/**
 * The number (`xid8`) below which no transaction of this database is under way any more, at most `next`. `pg_snapshot_xmin` tells
 * that of all databases of the server, and in another one a transaction may take hours.
 *
 * `next` was the next number some time ago: a session has its number a moment before it has the lock that tells so.
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
  return Number(rowsOf<{ settled: string }>(result)[0]?.settled ?? 0);
}
