import type { SqlDialect } from "#src/domain/connector/mod.ts";
import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";

export type Dialect = SqlDialect;

/** One statement in the words of its database, its values apart. */
export interface Statement {
  readonly text: string;
  /** For `$1…` (postgres), `?` one after the other (mysql), `?1…` (sqlite), `@p1…` (mssql), `:p1…` (oracle). */
  readonly values: readonly unknown[];
}

export interface Limits {
  /** After it the statement is ended in the database too. */
  readonly timeoutMs: number;
  /** The caller has gone: the same. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadLimits extends Limits {
  readonly maxRows: number;
  /** Of the answer as the database sends it; over it the statement ends as `refused`. */
  readonly maxBytes: number;
}

export interface Column {
  readonly name: string;
  /** A type of the sections: `string integer number decimal boolean date time datetime uuid json binary`, `array<…>` of one. */
  readonly type: string;
}

/** Bytes as bytes; numbers that a double does not hold exactly, dates and times as the database writes them. */
export type Row = readonly unknown[];

export interface Result {
  readonly columns: readonly Column[];
  /** At most `maxRows`. */
  readonly rows: readonly Row[];
  /** There were more rows. */
  readonly truncated: boolean;
  /** Rows a write changed; 0 for a read. */
  readonly affected: number;
  /** What the database says it did: `SELECT`, `UPDATE`; empty where it says nothing. */
  readonly command: string;
}

export interface Batch {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface Transaction {
  run(statement: Statement, limits: { maxRows: number; maxBytes: number }): Promise<Result>;
}

export interface Table {
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view";
  readonly columns: readonly (Column & { readonly nullable: boolean })[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly {
    readonly columns: readonly string[];
    readonly references: { schema: string; table: string; columns: readonly string[] };
  }[];
}

export interface PoolStats {
  /** Connections: open, in use, and callers that wait for one. */
  readonly open: number;
  readonly busy: number;
  readonly waiting: number;
  readonly max: number;
}

/**
 * An open database. Throws AppError: `unavailable` no connection could be had, `refused` the statement failed, `conflict` another
 * statement changed the same rows, or a row is there already, `overdue` it took too long, `misconfigured` a read wrote. What else a database
 * says of a statement is a `RefusedStatement`.
 */
export interface Pool {
  readonly dialect: Dialect;
  /** One query, in a transaction that cannot write, under the pool's read role. */
  read(statement: Statement, limits: ReadLimits): Promise<Result>;
  /**
   * The same in batches, however many rows there are; a consumer that stops ends it. `timeoutMs` is for what comes next, `wholeMs` for all of
   * it.
   */
  stream(
    statement: Statement,
    limits: ReadLimits & { readonly wholeMs?: number },
  ): AsyncIterable<Batch>;
  /** One transaction, committed when the work resolves and taken back when it throws. */
  write<T>(limits: Limits, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** What the pool's role can see: tables and views with their columns and keys. */
  tables(limits: ReadLimits): Promise<readonly Table[]>;
  stats(): PoolStats;
  /** Takes no new work, and resolves when what is under way has ended. */
  close(): Promise<void>;
}

export interface PoolSession {
  readonly applicationName: string;
  readonly timeZone?: string | undefined;
  readonly searchPath?: readonly string[] | undefined;
  readonly lockTimeoutMs?: number | undefined;
  readonly idleInTransactionMs: number;
}

export interface PoolConnections {
  readonly min: number;
  readonly max: number;
  readonly acquireMs: number;
  readonly idleMs: number;
  readonly lifetimeMs: number;
}

/** A database on a server, its secrets in the clear. */
export interface ServerPoolSettings {
  readonly driver: "postgres" | "mysql" | "mssql" | "oracle";
  readonly host: string;
  readonly port?: number | undefined;
  readonly database: string;
  readonly user: string;
  readonly password?: string | undefined;
  readonly ssl: {
    readonly mode: "disable" | "require" | "verify-ca" | "verify-full";
    /** PEM of the authorities that are believed. */
    readonly ca?: string | undefined;
    /** Where that lies. */
    readonly caFile?: string | undefined;
  };
  readonly connections: PoolConnections;
  readonly session: PoolSession;
  readonly readRole?: string | undefined;
}

export interface FilePoolSettings {
  readonly driver: "sqlite";
  /** Relative to the data folder, or absolute. */
  readonly file: string;
  readonly readOnly: boolean;
}

export type PoolSettings = ServerPoolSettings | FilePoolSettings;

/** Opens no connection yet. Throws AppError `misconfigured` where the settings name what is not there or not allowed. */
export type OpenPool = (settings: PoolSettings) => Promise<Pool>;

/** What a refusal of a database is answered as. */
export type KnownRefusal = readonly [ErrorCode, Sentence];

/** A deadlock, or a change of the same rows by another transaction: the same may succeed another time. */
export const COLLISION: KnownRefusal = [
  "conflict",
  say`Another statement was changing the same rows; try again`,
];

/** The database refused a statement in words of its own, which are for those who may read the statement. */
export class RefusedStatement extends AppError {
  /** Its code: an SQLSTATE or what the driver has in its place. */
  readonly databaseCode: string;
  readonly databaseText: string;
  readonly isCollision: boolean;

  constructor(
    { code, text, known }: { code: string; text: string; known?: KnownRefusal | undefined },
    options: ErrorOptions = {},
  ) {
    super(...known ?? ["refused", say`The database refuses the statement (${code})`], options);
    this.databaseCode = code;
    this.databaseText = text.slice(0, 300);
    this.isCollision = known === COLLISION;
  }
}

export function overdue(timeoutMs: number, cause?: unknown): AppError {
  return new AppError("overdue", say`The statement took longer than ${timeoutMs / 1000} s`, {
    cause,
  });
}

export function tooManyBytes(maxBytes: number): AppError {
  return new AppError("refused", say`The result is larger than ${maxBytes} bytes`);
}

export function notReached(cause?: unknown): AppError {
  return new AppError("unavailable", say`The database cannot be reached`, { cause, retryAfter: 5 });
}

/** All connections are in use, and none came free in time. */
export function allBusy(cause?: unknown): AppError {
  return new AppError("unavailable", say`All connections of the database are in use`, {
    cause,
    retryAfter: 1,
  });
}
