import { and, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

export interface Days {
  /** `yyyy-MM-dd`, UTC, both included. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
}

/** That a moment lies in these days, wherever the server is. */
export function isWithin(moment: PgColumn, { dateFrom, dateTo }: Days): SQL | undefined {
  return and(
    dateFrom ? sql`${moment} >= ${startOf(dateFrom)}` : undefined,
    dateTo ? sql`${moment} < ${startOf(dateTo)} + interval '1 day'` : undefined,
  );
}

function startOf(day: string): SQL {
  return sql`${day}::date::timestamp at time zone 'UTC'`;
}
