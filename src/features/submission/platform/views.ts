import { type SQL, sql } from "drizzle-orm";

/** Inside a statement of another room, so that an attempt is begun and the breaker asked in one. */
export const breakerSays = {
  /** The PA may be called. */
  isClosed: (pa: string): SQL =>
    sql`not exists (select 1 from pa_breakers where name = ${pa} and state <> 'closed')`,
  /** The PA has failures on record. */
  isTroubled: (pa: string): SQL =>
    sql`exists (select 1 from pa_breakers where name = ${pa} and failures > 0)`,
};
