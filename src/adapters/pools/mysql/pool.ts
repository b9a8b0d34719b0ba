import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import mysql from "mysql2/promise";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  allBusy,
  type Batch,
  type DatabasePool,
  type Limits,
  notReached,
  overdue,
  type PoolRows,
  type ReadLimits,
  type RefusedPart,
  type ServerPoolSettings,
  type Statement,
  tooManyBytes,
  type Transaction,
} from "#src/ports/pool.ts";
import { closeAfterWork } from "../close_after_work.ts";
import { cutWhenUnheard } from "../unheard.ts";
import { toAppError } from "./refusals.ts";
import { mysqlTables } from "./tables.ts";
import { asBound, asValue, getType } from "./values.ts";

const BATCH = 500;
/** Error numbers of a refused sign-in. */
const REFUSED_AT_SIGN_IN: Readonly<Record<number, RefusedPart>> = {
  1044: "account",
  1045: "account",
  1049: "database",
  1698: "account",
};

export type MysqlSettings = Omit<ServerPoolSettings, "driver">;

/**
 * Opens MariaDB or MySQL. Statements are prepared, so that each is a single statement; the server ends those that
 * take too long.
 */
export function mysqlPool(settings: MysqlSettings): DatabasePool {
  return closeAfterWork(new MysqlPool(settings));
}

class MysqlPool implements DatabasePool {
  readonly dialect = "mysql";
  readonly #settings: MysqlSettings;
  readonly #pool: mysql.Pool;
  readonly #use = { busy: 0, waiting: 0 };
  /** Modes in which the user's privileges were checked. */
  readonly #vetted = new Set<string>();

  constructor(settings: MysqlSettings) {
    this.#settings = settings;
    this.#pool = mysql.createPool({ ...getAddress(settings), ...POOLED, ...getLimits(settings) });
    this.#pool.on("connection", (connection) => {
      for (const text of getSession(settings)) void connection.query(text);
    });
  }

  async read(statement: Statement, limits: ReadLimits): Promise<PoolRows> {
    const held = await this.#take(limits);
    try {
      await this.#begin(held, "READ ONLY");
      const result = await run(held, statement);
      return toResult(result, limits.maxRows);
    } catch (error) {
      throw held.why(error);
    } finally {
      held.giveBack();
    }
  }

  async *stream(
    statement: Statement,
    limits: ReadLimits & { readonly wholeMs?: number },
  ): AsyncGenerator<Batch> {
    const held = await this.#take({ ...limits, timeoutMs: limits.wholeMs ?? limits.timeoutMs });
    let isRead = false;
    try {
      await this.#begin(held, "READ ONLY");
      for await (const batch of batches(held, statement, limits)) yield batch;
      isRead = true;
    } catch (error) {
      throw held.why(error);
    } finally {
      if (!isRead) held.connection.destroy(); // unread rows are still to come
      held.giveBack();
    }
  }

  async write<T>(limits: Limits, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const held = await this.#take(limits);
    const describe = async (act: () => Promise<unknown>) => {
      await act().catch((error) => Promise.reject(held.why(error)));
    };
    try {
      await describe(() => this.#begin(held, "READ WRITE"));
      const done = await work({
        async run(statement, { maxRows, maxBytes }) {
          held.allow(maxBytes);
          const result = await run(held, statement)
            .catch((error) => Promise.reject(held.why(error)));
          return toResult(result, maxRows);
        },
      });
      await describe(() => held.connection.commit());
      return done;
    } finally {
      held.giveBack(); // rolls back uncommitted changes
    }
  }

  tables(limits: ReadLimits) {
    return mysqlTables((statement, limits) => this.read(statement, limits), limits);
  }

  stats() {
    const { _allConnections: all } = this.#pool.pool as unknown as {
      _allConnections: { length: number };
    };
    return { ...this.#use, open: all.length, max: this.#settings.connections.max };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #take(limits: Limits & { maxBytes?: number }): Promise<Held> {
    const { acquireMs } = this.#settings.connections;
    const use = this.#use;
    use.waiting++;
    try {
      const connection = await acquireConnection(this.#pool, { ...limits, acquireMs });
      use.busy++;
      return guard(this.#settings, connection, { ...limits, left: () => void use.busy-- });
    } finally {
      use.waiting--;
    }
  }

  async #begin(held: Held, mode: "READ ONLY" | "READ WRITE"): Promise<void> {
    const { readRole } = this.#settings;
    if (readRole !== undefined) {
      const role = mode === "READ ONLY" ? mysql.escapeId(readRole) : "NONE";
      await held.connection.query(`SET ROLE ${role}`);
    }
    if (!this.#vetted.has(mode)) { // the read role may have rights that the user lacks
      await refuseFilePrivilege(held.connection);
      this.#vetted.add(mode);
    }
    await held.connection.query(`START TRANSACTION ${mode}`);
  }
}

/** Matches a grant of `SHOW GRANTS`: the global privileges before their `ON *.*`. */
const READS_FILES = /^GRANT [^`']*\b(ALL PRIVILEGES|FILE)\b[^`']* ON \*\.\* /i;

/** Throws AppError `misconfigured` for a user with FILE, since `load_file` would read files of the database's server. */
async function refuseFilePrivilege(connection: mysql.PoolConnection): Promise<void> {
  const [rows] = await connection.query({ sql: "SHOW GRANTS", rowsAsArray: true });
  if (!(rows as unknown as string[][]).some(([grant = ""]) => READS_FILES.test(grant))) return;
  throw new AppError(
    "misconfigured",
    say`The database user of the pool has the privilege FILE and could read files of the server: revoke it, or use another user`,
  );
}

/** Options under which exact values stay text, and no text of a server becomes code or reads a local file. */
const POOLED = {
  multipleStatements: false,
  supportBigNumbers: true,
  bigNumberStrings: true,
  dateStrings: true,
  rowsAsArray: true,
  disableEval: true,
  flags: ["-LOCAL_FILES"] as string[],
};

function getAddress({ host, port, database, user, password, ssl }: MysqlSettings) {
  return {
    host,
    port: port ?? 3306,
    database,
    user,
    password: password ?? "",
    ...ssl.mode !== "disable" && {
      ssl: {
        rejectUnauthorized: ssl.mode !== "require",
        verifyIdentity: ssl.mode === "verify-full",
        ...ssl.ca !== undefined && { ca: ssl.ca },
      },
    },
  };
}

function getLimits({ connections }: MysqlSettings) {
  return {
    connectionLimit: connections.max,
    maxIdle: connections.max,
    idleTimeout: connections.idleMs,
    connectTimeout: connections.acquireMs,
    maxPreparedStatements: 200,
    enableKeepAlive: true,
  };
}

/**
 * Modes of every session, whatever the server's are. The guard reads SQL with backslash escapes and with texts in
 * double quotes (no ANSI_QUOTES, no NO_BACKSLASH_ESCAPES). A write never truncates or replaces a value.
 */
const SQL_MODE = "STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";

function getSession({ session }: MysqlSettings): string[] {
  const { timeZone, lockTimeoutMs } = session;
  const zone = timeZone === "UTC" ? "+00:00" : timeZone;
  return [
    `SET sql_mode = '${SQL_MODE}'`,
    ...zone === undefined ? [] : [`SET time_zone = ${mysql.escape(zone)}`],
    ...lockTimeoutMs === undefined
      ? []
      : [`SET innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(lockTimeoutMs / 1000))}`],
  ];
}

async function acquireConnection(
  pool: mysql.Pool,
  { signal, acquireMs }: Limits & { acquireMs: number },
): Promise<mysql.PoolConnection> {
  const wanted = pool.getConnection();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((tell) => timer = setTimeout(() => tell("late"), acquireMs));
  try {
    const got = await Promise.race([wanted, late]);
    if (got === "late") {
      wanted.then((it) => it.release(), () => {});
      throw allBusy();
    }
    if (!signal?.aborted) return got;
    got.release(); // who left before it began has nothing to cancel
    throw signal.reason;
  } catch (error) {
    if (signal?.aborted || (error as Error).name === "AppError") throw error;
    throw notReached(error, REFUSED_AT_SIGN_IN[(error as { errno?: number }).errno ?? 0]);
  } finally {
    clearTimeout(timer);
  }
}

interface Answer {
  readonly rows: unknown[][] | mysql.ResultSetHeader;
  readonly fields: mysql.FieldPacket[] | undefined;
  readonly command: string;
}

async function run({ connection, check }: Held, { text, values }: Statement): Promise<Answer> {
  const [rows, fields] = await connection.execute(
    { sql: text, rowsAsArray: true },
    values.map(asBound) as mysql.ExecuteValues,
  );
  check();
  return {
    rows: rows as Answer["rows"],
    fields: fields as Answer["fields"],
    command: /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? "",
  };
}

function toResult({ rows, fields, command }: Answer, maxRows: number): PoolRows {
  if (!Array.isArray(rows)) {
    return { columns: [], rows: [], truncated: false, affected: rows.affectedRows, command };
  }
  return {
    columns: getColumns(fields),
    rows: rows.slice(0, maxRows).map((row) => row.map(asValue)),
    truncated: rows.length > maxRows,
    affected: command === "SELECT" || command === "WITH" ? 0 : rows.length, // `returning`
    command,
  };
}

function getColumns(fields: readonly mysql.FieldPacket[] = []) {
  return fields.map((it) => ({
    name: it.name,
    type: getType(it as unknown as Parameters<typeof getType>[0]),
  }));
}

/** Yields rows as they arrive; the driver continues when they are taken. */
async function* batches(
  { connection }: Held,
  { text, values }: Statement,
  { maxRows }: ReadLimits,
): AsyncGenerator<Batch> {
  const core = connection.connection as unknown as {
    execute(query: object, values: unknown[]): {
      on(event: "fields", callback: (fields: mysql.FieldPacket[]) => void): void;
      stream(options: object): Readable;
    };
  };
  const command = core.execute({ sql: text, rowsAsArray: true }, values.map(asBound));
  let fields: mysql.FieldPacket[] = [];
  command.on("fields", (it) => fields = it ?? fields);
  let rows: unknown[][] = [];
  let left = maxRows;
  for await (const row of command.stream({ objectMode: true, highWaterMark: BATCH })) {
    if (left-- <= 0) break;
    rows.push((row as unknown[]).map(asValue));
    if (rows.length < BATCH) continue;
    yield { columns: getColumns(fields), rows };
    rows = [];
  }
  if (rows.length) yield { columns: getColumns(fields), rows };
}

interface Held {
  readonly connection: mysql.PoolConnection;
  allow(maxBytes: number): void;
  check(): void;
  why(error: unknown): AppError;
  giveBack(): void;
}

/** Guards a connection in use: its time is limited, and its bytes are counted before the driver assembles a row. */
function guard(
  settings: MysqlSettings,
  connection: mysql.PoolConnection,
  { timeoutMs, signal, maxBytes, left }: Limits & { maxBytes?: number; left(): void },
): Held {
  let late = false;
  const { stream } = connection.connection as unknown as { stream: Socket };
  const heard = cutWhenUnheard(stream);
  const cancel = () => {
    late = true;
    killQuery(settings, connection.threadId).catch(() => connection.destroy());
    heard.expect();
  };
  const timer = setTimeout(cancel, timeoutMs);
  signal?.addEventListener("abort", cancel, { once: true });
  let [received, budget] = [0, maxBytes ?? Infinity];
  const count = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > budget) stream.destroy();
  };
  stream.on("data", count);
  return {
    connection,
    allow: (maxBytes) => void (budget = received + maxBytes),
    check() {
      if (received > budget) throw tooManyBytes(budget);
      if (late) throw overdue(timeoutMs); // sleep() ends as if it had slept
    },
    why: (error) =>
      received > budget ? tooManyBytes(budget) : toAppError(error, { late, timeoutMs }),
    giveBack() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      stream.off("data", count);
      left();
      if (late || stream.destroyed) {
        heard.end();
        return connection.destroy(); // the server rolls back its statement
      }
      heard.expect();
      connection.query("ROLLBACK").then(() => connection.query("DO RELEASE_ALL_LOCKS()"))
        .finally(heard.end)
        .then(() => connection.release(), () => connection.destroy());
    },
  };
}

/** Over a connection apart, since those of the pool may all be waiting to be cancelled. */
async function killQuery(settings: MysqlSettings, threadId: number): Promise<void> {
  const apart = await mysql.createConnection({ ...getAddress(settings), connectTimeout: 5_000 });
  try {
    await apart.query(`KILL QUERY ${Math.trunc(threadId)}`);
  } finally {
    await apart.end();
  }
}
