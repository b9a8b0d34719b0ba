import { sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";

/** Rows per statement, so that locks are short. */
const BATCH = 5_000;

/**
 * Deletes deliveries, read marks and call chains that ended more than `days` days ago. Waiting and failed ones stay.
 * Resolves to the number of deliveries.
 */
export async function pruneDeliveries(db: Db, days: number): Promise<number> {
  let count = 0;
  for (let last = BATCH; last === BATCH; count += last) {
    const gone = await db.execute(sql`
      delete from notification_deliveries where id in (
        select id from notification_deliveries
        where state in ('sent', 'failed') and created_at < now() - make_interval(days => ${days}) limit ${BATCH})
      returning id`);
    last = getRows(gone).length;
  }
  await db.execute(sql`
    delete from notification_dispatches where finished_at < now() - make_interval(days => ${days})`);
  return count;
}
