import { sql } from "drizzle-orm";
import { type Db, rowsOf } from "#src/ports/db.ts";

/** Rows of one statement, so that none holds its locks for long. */
const BATCH = 5_000;

/**
 * Deletes what ended more than `days` days ago: deliveries with their marks of reading, and chains of calls. What waits
 * or was given up stays. Resolves to the number of deliveries.
 */
export async function forgetDeliveries(db: Db, days: number): Promise<number> {
  let count = 0;
  for (let last = BATCH; last === BATCH; count += last) {
    const gone = await db.execute(sql`
      delete from notification_deliveries where id in (
        select id from notification_deliveries
        where state in ('sent', 'failed') and created_at < now() - make_interval(days => ${days}) limit ${BATCH})
      returning id`);
    last = rowsOf(gone).length;
  }
  await db.execute(sql`
    delete from notification_dispatches where finished_at < now() - make_interval(days => ${days})`);
  return count;
}
