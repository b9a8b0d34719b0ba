import type { SqlDialect } from "#src/domain/connector/mod.ts";
import { AppError, type ErrorCode, toMessage } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

export type Dialect = SqlDialect;

/** One statement in the words of its database, its values apart. */
export interface Statement {
  readonly text: string;
  /** Values for `$1…` (postgres), successive `?` (mysql), `?1…` (sqlite), `@p1…` (mssql), `:p1…` (oracle). */
  readonly values: readonly unknown[];
}

export interface Limits {
  /** After it the statement is ended in the database too. */
  readonly timeoutMs: number;
  /** Ends the statement when the caller has left. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadLimits extends Limits {
  readonly maxRows: number;
  /** Maximum size of the answer as the database sends it; a larger one ends the statement as `refused`. */
  readonly maxBytes: number;
}

export interface Column {
  readonly name: string;
  /** A type of the sections: `string integer number decimal boolean date time datetime uuid json binary`, `array<…>` of one. */
  readonly type: string;
}

/** Bytes as bytes; numbers that a double does not hold exactly, dates and times as the database writes them. */
export type PoolRow = readonly unknown[];

export interface PoolRows {
  readonly columns: readonly Column[];
  /** At most `maxRows`. */
  readonly rows: readonly PoolRow[];
  /** There were more rows. */
  readonly truncated: boolean;
  /** Rows a write changed; 0 for a read. */
  readonly affected: number;
  /** Command that the database reports: `SELECT`, `UPDATE`; empty if it reports none. */
  readonly command: string;
}

export interface Batch {
  readonly columns: readonly Column[];
  readonly rows: readonly PoolRow[];
}

export interface Transaction {
  run(statement: Statement, limits: { maxRows: number; maxBytes: number }): Promise<PoolRows>;
}

export interface PoolTable {
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
 * Open database. Throws AppError:
 * - `unavailable`: no connection was available.
 * - `refused`: the statement failed.
 * - `conflict`: another statement changed the same rows, or a row exists already.
 * - `overdue`: the statement took too long.
 * - `misconfigured`: a read has written.
 *
 * Other errors of the database are a `RefusedStatement`.
 */
export interface DatabasePool {
  readonly dialect: Dialect;
  /** Runs one query in a read-only transaction, under the pool's read role. */
  read(statement: Statement, limits: ReadLimits): Promise<PoolRows>;
  /**
   * Runs a query in batches of any total size; it ends when the consumer stops. `timeoutMs` limits each batch,
   * `wholeMs` the total.
   */
  stream(
    statement: Statement,
    limits: ReadLimits & { readonly wholeMs?: number },
  ): AsyncIterable<Batch>;
  /** Runs one transaction, committed when the work resolves and rolled back when it throws. */
  write<T>(limits: Limits, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Returns the tables and views visible to the pool's role, with their columns and keys. */
  tables(limits: ReadLimits): Promise<readonly PoolTable[]>;
  stats(): PoolStats;
  /** Takes no new work; resolves when running work has ended. */
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
    /** PEM of the trusted certificate authorities. */
    readonly ca?: string | undefined;
    /** Path of that file. */
    readonly caFile?: string | undefined;
  };
  readonly connections: PoolConnections;
  readonly session: PoolSession;
  readonly readRole?: string | undefined;
  /** The user that signs in for reads, on separate connections. */
  readonly reader?: { readonly user: string; readonly password?: string | undefined } | undefined;
}

export interface FilePoolSettings {
  readonly driver: "sqlite";
  /** Relative to the data folder, or absolute. */
  readonly file: string;
  readonly readOnly: boolean;
}

/** PostgreSQL database whose whole address, with its password, is a variable. */
export interface AddressPoolSettings extends Pick<ServerPoolSettings, "connections" | "session"> {
  readonly driver: "postgres";
  readonly url: string;
}

export type PoolSettings = ServerPoolSettings | AddressPoolSettings | FilePoolSettings;

/**
 * Creates a pool without opening a connection. Throws AppError `misconfigured` if the settings name something
 * missing or forbidden.
 */
export type OpenPool = (settings: PoolSettings) => Promise<DatabasePool>;

/** Error code and sentence for a database refusal. */
export type KnownRefusal = readonly [ErrorCode, Sentence];

/** A deadlock, or a change of the same rows by another transaction: the same may succeed another time. */
export const COLLISION: KnownRefusal = [
  "conflict",
  say`Another statement was changing the same rows; try again`,
];

/** Refusal of a statement in the database's own words; only users who may read the statement may read them. */
export class RefusedStatement extends AppError {
  /** Code of the database: an SQLSTATE or the driver's equivalent. */
  readonly databaseCode: string;
  readonly databaseText: string;
  /** Character of the statement, from 1, where the database found the fault; undefined if it does not say. */
  readonly position: number | undefined;
  readonly isCollision: boolean;

  constructor(
    { code, text, position, known }: {
      code: string;
      text: string;
      position?: number | undefined;
      known?: KnownRefusal | undefined;
    },
    options: ErrorOptions = {},
  ) {
    super(...known ?? ["refused", say`The database refuses the statement (${code})`], options);
    this.databaseCode = code;
    this.databaseText = text.slice(0, 300);
    this.position = position;
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

/** Part of a sign-in that a database server refuses. */
export type RefusedPart = "account" | "database";

const NOT_REACHED = say`The database cannot be reached`;
const REFUSED: Readonly<Record<RefusedPart, Sentence>> = {
  account: say`The database server answered but refuses the account`,
  database: say`The database server answered but does not have this database`,
};

/**
 * Returns the error for a failed connection; `refused` if the server answered. The driver's own words are the reason:
 * they name the host, the user or the certificate, never a password.
 */
export function notReached(cause?: unknown, refused?: RefusedPart): AppError {
  return new AppError("unavailable", refused === undefined ? NOT_REACHED : REFUSED[refused], {
    cause,
    retryAfter: 5,
    ...cause !== undefined && { reason: getReason(cause) },
  });
}

/** Several addresses of one host fail together in an error that has no message itself. */
function getReason(cause: unknown): Sentence {
  const several = cause instanceof AggregateError && cause.message === "" ? cause.errors : [cause];
  const { code, address, hostname, port } = several[0] as Readonly<Record<string, unknown>>;
  const host = address ?? hostname;
  if (code === undefined || host === undefined) {
    return say`${several.map(toMessage).join("; ").slice(0, 500)}`;
  }
  const place = port === undefined ? String(host) : `${host}:${port}`;
  return say`${place} (${String(code)}); check the server and the port`;
}

/** Returns the error for a pool whose connections stayed in use beyond the timeout. */
export function allBusy(cause?: unknown): AppError {
  return new AppError("unavailable", say`All connections of the database are in use`, {
    cause,
    retryAfter: 1,
  });
}
