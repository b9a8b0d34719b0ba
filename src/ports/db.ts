import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type * as schema from "#drizzle/schema/mod.ts";

/** Connection or open transaction, on PGlite or PostgreSQL. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>;

/** The database as the process holds it. */
export interface Database extends AsyncDisposable {
  readonly db: Db;
  /** Calls back for each NOTIFY on the channel; resolves to the way to stop. Missed while reconnecting: always poll too. */
  listen(channel: string, callback: (payload: string) => void): Promise<() => Promise<void>>;
  /** Runs a script of several statements outside our transactions. */
  script(sql: string): Promise<void>;
  /** Returns the current connections of the process' pool; absent on PGlite, which has one. */
  connections?(): Connections;
  /** Blocks changes until every caller has called the returned function. PGlite only. */
  freeze?(): Promise<() => Promise<void>>;
  /** Aborts with an `EngineFailure` when the embedded engine can no longer work. Absent on a server. */
  readonly failure?: AbortSignal | undefined;
  /** True on PGlite: one process, one connection. */
  readonly embedded: boolean;
}

/** Why the embedded engine can no longer work: the process that owns it has to end. */
export class EngineFailure extends Error {
  /** Callers see a server that crashed, so whatever retries a lost database retries this too. */
  readonly code = "57P02";
  /** The exit code of the process that owned the engine: EX_SOFTWARE where nothing else fits. */
  readonly exitCode: number;

  constructor(message: string, exitCode = 70) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Connections of a pool, and the callers that wait for one. */
export interface Connections {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
  readonly most: number;
}

/** Returns the rows of a raw statement: postgres.js returns them directly, PGlite inside a result. */
export function getRows<T>(result: unknown): T[] {
  return (Array.isArray(result) ? result : (result as { rows: T[] }).rows) as T[];
}

/** SQLSTATE: data exception, constraint, program limit, and more parameters than a statement takes. */
const REFUSED_DATA = /^(22|23|54)|^08P01$/;

/** Checks whether the database rejected the data itself, so that a retry would fail again. */
export function isRefusedData(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return REFUSED_DATA.test(String((cause as { code?: unknown } | null)?.code ?? ""));
}

/**
 * SQLSTATE: read-only for now, resources, wrong state for the statement, shutdown, lost connection. Adapters set
 * such a code where the driver has none.
 */
const AWAY = /^(25006|53\w{3}|55000|57P0[1-5]|08\w{3})$/;
/** Another transaction changed the same rows, or each waits for the other. */
const COLLISION = /^(40001|40P01)$/;

/** Checks whether the database is currently unavailable. */
export function isAway(error: unknown): boolean {
  return getCodes(error).some((it) => AWAY.test(it) && !REFUSED_DATA.test(it));
}

/** Checks whether the database is read-only: it is being moved, was moved elsewhere or is a read replica. */
export function takesNoWrites(error: unknown): boolean {
  return getCodes(error).includes("25006");
}

/** Checks whether a retry may succeed, because the error depends on the moment and not on the statement. */
export function isTransient(error: unknown): boolean {
  return isAway(error) || getCodes(error).some((it) => COLLISION.test(it));
}

/** Checks for a deadlock: the server cancelled one of the transactions that waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return getCodes(error).includes("40P01");
}

/** Checks whether other transactions held a required lock: in a deadlock or beyond the lock timeout. */
export function isLocked(error: unknown): boolean {
  return isDeadlock(error) || getCodes(error).includes("55P03");
}

/** Checks whether the database user lacks the privilege. */
export function isForbidden(error: unknown): boolean {
  return getCodes(error).includes("42501");
}

/** SQLSTATE: no such table, column, function or schema. */
const LACKING = /^(42P01|42703|42883|3F000)$/;

/**
 * Checks whether a statement names an object missing from the database: the schema is older, or the statement is
 * wrong.
 */
export function isLacking(error: unknown): boolean {
  return getCodes(error).some((it) => LACKING.test(it));
}

/** Returns the codes of an error and of its causes. */
function getCodes(error: unknown): string[] {
  const codes: string[] = [];
  for (let it: unknown = error; it instanceof Error; it = it.cause) {
    if ("code" in it) codes.push(String(it.code));
  }
  return codes;
}

/** Returns values as the text of a PostgreSQL array: one parameter, so the statement is the same for any count. */
export function formatArray(values: readonly (number | string | null)[]): string {
  return `{${values.map((it) => it ?? "NULL").join(",")}}`;
}
