import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as schema from "#drizzle/schema/mod.ts";

/** A connection or an open transaction, on PGlite or PostgreSQL alike. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

/** The database as the process holds it. */
export interface Database extends AsyncDisposable {
  readonly db: Db;
  /** Calls back for each NOTIFY on the channel; resolves to the way to stop. Missed while reconnecting: always poll too. */
  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>;
  /** Runs a script of several statements outside any transaction of ours. */
  script(sql: string): Promise<void>;
  /** True on PGlite: one process, one connection. */
  readonly embedded: boolean;
}

/** The rows of a raw statement: postgres.js answers with them, PGlite with a result that holds them. */
export function rowsOf<T>(result: unknown): T[] {
  return (Array.isArray(result) ? result : (result as { rows: T[] }).rows) as T[];
}
