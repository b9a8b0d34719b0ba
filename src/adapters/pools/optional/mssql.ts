import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  type Batch,
  COLLISION,
  type DatabasePool,
  type KnownRefusal,
  type Limits,
  notReached,
  overdue,
  type PoolRows,
  type ReadLimits,
  RefusedStatement,
  type ServerPoolSettings,
  type Statement,
  tooManyBytes,
  type Transaction as PoolTransaction,
} from "#src/ports/pool.ts";
import { closeAfterWork } from "../close_after_work.ts";
import { loadOptional } from "./load.ts";
import { bytesIn, informationSchemaTables, watchTime } from "./shared.ts";

/** Part of the package `mssql` that is used. */
interface Mssql {
  ConnectionPool: new (config: object) => Connections;
  Transaction: new (pool: Connections) => Transaction;
  Request: new (on: Transaction) => Request;
}
interface Connections {
  readonly size: number;
  readonly borrowed: number;
  readonly pending: number;
  connect(): Promise<Connections>;
  close(): Promise<void>;
}
interface Transaction {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}
interface Request {
  arrayRowMode: boolean;
  input(name: string, value: unknown): void;
  query(text: string): Promise<Answer>;
  cancel(): void;
}
interface Answer {
  readonly recordset?: unknown[][];
  readonly columns?: { name: string; type: { declaration?: string } | (() => unknown) }[][];
  readonly rowsAffected: number[];
}

/**
 * Opens SQL Server. It has no read-only transactions: a read is wrapped in a SELECT, and its transaction is
 * rolled back. Decimals arrive as doubles; cast longer ones to text.
 */
export async function mssqlPool(settings: ServerPoolSettings): Promise<DatabasePool> {
  return closeAfterWork(new MssqlPool(await loadOptional("mssql") as Mssql, settings));
}

class MssqlPool implements DatabasePool {
  readonly dialect = "mssql";
  readonly #mssql: Mssql;
  readonly #pool: Connections;
  readonly #max: number;
  readonly #connected = newSharedValue(() => this.#pool.connect());

  constructor(mssql: Mssql, settings: ServerPoolSettings) {
    this.#mssql = mssql;
    this.#pool = new mssql.ConnectionPool(getConfig(settings));
    this.#max = settings.connections.max;
  }

  async read(statement: Statement, limits: ReadLimits): Promise<PoolRows> {
    limits.signal?.throwIfAborted();
    const transaction = await this.#begin();
    try {
      return await this.#ask(transaction, statement, limits);
    } finally {
      await transaction.rollback().catch(() => {}); // it may have ended itself
    }
  }

  async *stream(statement: Statement, limits: ReadLimits): AsyncGenerator<Batch> {
    yield await this.read(statement, limits);
  }

  async write<T>(limits: Limits, work: (tx: PoolTransaction) => Promise<T>): Promise<T> {
    limits.signal?.throwIfAborted();
    const transaction = await this.#begin();
    try {
      const done = await work({
        run: (statement, most) => this.#ask(transaction, statement, { ...limits, ...most }),
      });
      await transaction.commit();
      return done;
    } catch (error) {
      await transaction.rollback().catch(() => {});
      throw toRefusal(error, { late: false, timeoutMs: limits.timeoutMs });
    }
  }

  tables(limits: ReadLimits) {
    return informationSchemaTables((statement, limits) => this.read(statement, limits), limits);
  }

  stats() {
    const { size: open, borrowed: busy, pending: waiting } = this.#connected.peek() ?? NONE;
    return { open, busy, waiting, max: this.#max };
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #begin(): Promise<Transaction> {
    await this.#connected.get().catch((error) => {
      throw notReached(error, error?.code === "ELOGIN" ? "account" : undefined);
    });
    const transaction = new this.#mssql.Transaction(this.#pool);
    await transaction.begin().catch((error) => {
      throw notReached(error);
    });
    return transaction;
  }

  async #ask(on: Transaction, statement: Statement, limits: ReadLimits): Promise<PoolRows> {
    const request = new this.#mssql.Request(on);
    request.arrayRowMode = true;
    statement.values.forEach((value, at) => request.input(`p${at + 1}`, value));
    const watch = watchTime(limits, () => request.cancel());
    try {
      return toResult(await request.query(statement.text), limits);
    } catch (error) {
      throw toRefusal(error, { late: watch.late(), timeoutMs: limits.timeoutMs });
    } finally {
      watch.stop();
    }
  }
}

/** Counts of a pool before it connects; the driver's own do not exist yet. */
const NONE = { size: 0, borrowed: 0, pending: 0 };

function getConfig(settings: ServerPoolSettings): object {
  const { connections, ssl, port, host, database, user, password } = settings;
  return {
    server: host,
    port: port ?? 1433,
    database,
    user,
    password,
    arrayRowMode: true,
    connectionTimeout: connections.acquireMs,
    requestTimeout: 0, // ended by `cancel`, which reaches the server
    pool: {
      min: connections.min,
      max: connections.max,
      idleTimeoutMillis: connections.idleMs,
      acquireTimeoutMillis: connections.acquireMs,
    },
    options: {
      appName: settings.session.applicationName,
      encrypt: ssl.mode !== "disable",
      trustServerCertificate: ssl.mode === "disable" || ssl.mode === "require",
      useUTC: true,
      ...ssl.ca !== undefined && { cryptoCredentialsDetails: { ca: ssl.ca } },
    },
  };
}

function toResult(answer: Answer, { maxRows, maxBytes }: ReadLimits): PoolRows {
  const rows = answer.recordset ?? [];
  if (bytesIn(rows) > maxBytes) throw tooManyBytes(maxBytes);
  const columns = (answer.columns?.[0] ?? []).map(({ name, type }) => ({
    name,
    type: getType(type),
  }));
  return {
    columns,
    rows: rows.slice(0, maxRows).map((row) =>
      row.map((value, at) => asText(value, columns[at]?.type))
    ),
    truncated: rows.length > maxRows,
    affected: answer.rowsAffected.reduce((sum, it) => sum + it, 0),
    command: answer.recordset ? "SELECT" : "",
  };
}

const TYPES: Readonly<Record<string, string>> = {
  bit: "boolean",
  tinyint: "integer",
  smallint: "integer",
  int: "integer",
  bigint: "integer",
  decimal: "decimal",
  numeric: "decimal",
  money: "decimal",
  smallmoney: "decimal",
  float: "number",
  real: "number",
  date: "date",
  time: "time",
  datetime: "datetime",
  datetime2: "datetime",
  smalldatetime: "datetime",
  datetimeoffset: "datetime",
  uniqueidentifier: "uuid",
  binary: "binary",
  varbinary: "binary",
  image: "binary",
};

function getType(type: unknown): string {
  const { declaration = "" } = type as { declaration?: string };
  return TYPES[declaration.toLowerCase()] ?? "string";
}

function asText(value: unknown, type: string | undefined): unknown {
  if (!(value instanceof Date)) return value;
  const text = value.toISOString();
  return type === "date" ? text.slice(0, 10) : type === "time" ? text.slice(11, 23) : text;
}

/** 547 a constraint, 515 a missing value, 2601 and 2627 an existing row, 1205 a deadlock, 229 a missing right. */
const EXISTS: KnownRefusal = ["conflict", say`A row with these values exists already`];
const KNOWN: Readonly<Record<number, KnownRefusal>> = {
  1205: COLLISION,
  2601: EXISTS,
  2627: EXISTS,
};

function toRefusal(
  error: unknown,
  { late, timeoutMs }: { late: boolean; timeoutMs: number },
): AppError {
  if (error instanceof AppError) return error;
  if (late) return overdue(timeoutMs, error);
  const { number, message = "" } = error as { number?: number; message?: string };
  if (number === undefined) return notReached(error);
  const given = { code: String(number), text: message };
  return new RefusedStatement({ ...given, known: KNOWN[number] }, { cause: error });
}
