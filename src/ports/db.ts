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

/** SQLSTATE: data exception, constraint, program limit, and more parameters than a statement takes. */
const REFUSED_DATA = /^(22|23|54)|^08P01$/;

/** Whether the database refused what it was to store, so that it would refuse it again. */
export function isRefusedData(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return REFUSED_DATA.test(String((cause as { code?: unknown } | null)?.code ?? ""));
}

/** SQLSTATE and codes of drivers and sockets: serialization and deadlock, resources, shutdown, a lost connection. */
const TRANSIENT =
  /^(40001|40P01|53\w{3}|57P0[1-5]|08\w{3}|CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT)$/;

/** Whether the same may succeed another time, for the fault was the database's moment and not the statement's. */
export function isTransient(error: unknown): boolean {
  for (let it: unknown = error; it instanceof Error; it = it.cause) {
    if ("code" in it && TRANSIENT.test(String(it.code)) && !REFUSED_DATA.test(String(it.code))) {
      return true;
    }
  }
  return false;
}
