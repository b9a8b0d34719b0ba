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
  /** Of the process' pool at this moment; absent on PGlite, which has one. */
  connections?(): Connections;
  /** Takes no changes until each of those who asked has called what this resolves to. PGlite alone. */
  freeze?(): Promise<() => Promise<void>>;
  /** True on PGlite: one process, one connection. */
  readonly embedded: boolean;
}

/** Connections of a pool, and the callers that wait for one. */
export interface Connections {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
  readonly most: number;
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

/** SQLSTATE: takes no writes for now, resources, shutdown, a lost connection. Adapters say so of what has no SQLSTATE. */
const AWAY = /^(25006|53\w{3}|57P0[1-5]|08\w{3})$/;
/** Another transaction changed the same rows, or each waits for the other. */
const COLLISION = /^(40001|40P01)$/;

/** Whether the database is not there at this moment. */
export function isAway(error: unknown): boolean {
  return codesOf(error).some((it) => AWAY.test(it) && !REFUSED_DATA.test(it));
}

/** Whether the database is there and takes no writes: it is being moved or was moved elsewhere, or is a copy for reading. */
export function takesNoWrites(error: unknown): boolean {
  return codesOf(error).includes("25006");
}

/** Whether the same may succeed another time, for the fault was the database's moment and not the statement's. */
export function isTransient(error: unknown): boolean {
  return isAway(error) || codesOf(error).some((it) => COLLISION.test(it));
}

/** Whether each waited for the other, so that the server gave one transaction up. */
export function isDeadlock(error: unknown): boolean {
  return codesOf(error).includes("40P01");
}

/** Whether others held what a transaction was to lock: in a circle, or for longer than it was to wait. */
export function isLocked(error: unknown): boolean {
  return isDeadlock(error) || codesOf(error).includes("55P03");
}

/** Whether who signs in may not do this. */
export function isForbidden(error: unknown): boolean {
  return codesOf(error).includes("42501");
}

/** SQLSTATE: no such table, column, function or schema. */
const LACKING = /^(42P01|42703|42883|3F000)$/;

/** Whether a statement names what the database has not: an older schema, or a fault of the statement. */
export function isLacking(error: unknown): boolean {
  return codesOf(error).some((it) => LACKING.test(it));
}

/** Of an error and of what caused it. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let it: unknown = error; it instanceof Error; it = it.cause) {
    if ("code" in it) codes.push(String(it.code));
  }
  return codes;
}
