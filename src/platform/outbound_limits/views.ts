import { type SQL, sql } from "drizzle-orm";

/**
 * SQL conditions on the breaker of a peer, with which other features begin an attempt and check the breaker in one
 * statement.
 */
export const breakerSql = {
  /** The peer may be called. */
  isClosed: (name: string): SQL =>
    sql`not exists (select 1 from breakers where name = ${name} and state <> 'closed')`,
  /** The peer has failures on record. */
  isTroubled: (name: string): SQL =>
    sql`exists (select 1 from breakers where name = ${name} and failures > 0)`,
};
