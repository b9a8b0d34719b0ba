import { and, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

export interface Days {
  /** First day, `yyyy-MM-dd` in UTC; both days are included. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
}

/** Selects rows whose moment is within these UTC days, whatever the server's time zone. */
export function isWithin(moment: PgColumn, { dateFrom, dateTo }: Days): SQL | undefined {
  return and(
    dateFrom ? sql`${moment} >= ${getDayStart(dateFrom)}` : undefined,
    dateTo ? sql`${moment} < ${getDayStart(dateTo)} + interval '1 day'` : undefined,
  );
}

function getDayStart(day: string): SQL {
  return sql`${day}::date::timestamp at time zone 'UTC'`;
}
