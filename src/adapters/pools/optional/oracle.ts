import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  allBusy,
  type Batch,
  COLLISION,
  type DatabasePool,
  type KnownRefusal,
  type Limits,
  notReached,
  overdue,
  type PoolRows,
  type PoolTable,
  type ReadLimits,
  RefusedStatement,
  type ServerPoolSettings,
  type Statement,
  tooManyBytes,
  type Transaction,
} from "#src/ports/pool.ts";
import { closeAfterWork } from "../close_after_work.ts";
import { loadOptional } from "./load.ts";
import { bytesIn, watchTime } from "./shared.ts";

/** Part of the package `oracledb` that is used, in its thin mode, which needs no Oracle client. */
interface Oracledb {
  readonly OUT_FORMAT_ARRAY: number;
  readonly DB_TYPE_NUMBER: unknown;
  readonly DB_TYPE_VARCHAR: unknown;
  readonly DB_TYPE_DATE: unknown;
  readonly DB_TYPE_TIMESTAMP: unknown;
  readonly DB_TYPE_TIMESTAMP_TZ: unknown;
  readonly DB_TYPE_TIMESTAMP_LTZ: unknown;
  readonly DB_TYPE_RAW: unknown;
  readonly DB_TYPE_CLOB: unknown;
  readonly DB_TYPE_BLOB: unknown;
  createPool(config: object): Promise<Connections>;
}
interface Connections {
  readonly connectionsOpen: number;
  readonly connectionsInUse: number;
  getConnection(): Promise<Connection>;
  close(drainSeconds: number): Promise<void>;
}
interface Connection {
  execute(text: string, binds: object, options: object): Promise<Answer>;
  break(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  close(options?: { drop: boolean }): Promise<void>;
}
interface MetaData {
  readonly name: string;
  readonly dbType: unknown;
  readonly scale?: number;
  readonly precision?: number;
}
interface Answer {
  readonly rows?: unknown[][];
  readonly metaData?: MetaData[];
  readonly rowsAffected?: number;
}

const DRAIN_SECONDS = 60;

/** Opens Oracle from 12.1 on. Numbers arrive as text, so that none is rounded. */
export async function oraclePool(settings: ServerPoolSettings): Promise<DatabasePool> {
  return closeAfterWork(new OraclePool(await loadOptional("oracledb") as Oracledb, settings));
}

class OraclePool implements DatabasePool {
  readonly dialect = "oracle";
  readonly #oracledb: Oracledb;
  readonly #settings: ServerPoolSettings;
  readonly #opened = newSharedValue(() => this.#oracledb.createPool(getConfig(this.#settings)));

  constructor(oracledb: Oracledb, settings: ServerPoolSettings) {
    this.#oracledb = oracledb;
    this.#settings = settings;
  }

  read(statement: Statement, limits: ReadLimits): Promise<PoolRows> {
    const { readRole } = this.#settings;
    return this.#within(limits, async (connection, ask) => {
      if (readRole !== undefined) {
        await connection.execute(`SET ROLE "${readRole.replaceAll('"', "")}"`, {}, {});
      }
      await connection.execute("SET TRANSACTION READ ONLY", {}, {});
      return await ask(statement, limits);
    });
  }

  async *stream(statement: Statement, limits: ReadLimits): AsyncGenerator<Batch> {
    yield await this.read(statement, limits);
  }

  write<T>(limits: Limits, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#within(limits, async (connection, ask) => {
      const done = await work({ run: ask });
      await connection.commit();
      return done;
    });
  }

  tables(limits: ReadLimits) {
    return ownTables((statement, limits) => this.read(statement, limits), limits);
  }

  stats() {
    const { connectionsOpen: open = 0, connectionsInUse: busy = 0 } = this.#opened.peek() ?? {};
    return { open, busy, waiting: 0, max: this.#settings.connections.max };
  }

  async close(): Promise<void> {
    await (await this.#opened.settled())?.close(DRAIN_SECONDS);
  }

  async #within<T>(
    limits: Limits,
    work: (connection: Connection, ask: Ask) => Promise<T>,
  ): Promise<T> {
    limits.signal?.throwIfAborted();
    const connection = await this.#opened.get().then((it) => it.getConnection()).catch((error) => {
      const message = String(error?.message);
      if (/NJS-040|NJS-076/.test(message)) throw allBusy(error);
      throw notReached(error, /ORA-(01017|28000)/.test(message) ? "account" : undefined);
    });
    const watch = watchTime(limits, () => void connection.break().catch(() => {}));
    const ask: Ask = async (statement, most) => {
      const options = getOptions(this.#oracledb, most);
      const answer = await connection.execute(statement.text, boundBy(statement), options);
      return toResult(this.#oracledb, answer, most);
    };
    try {
      return await work(connection, ask);
    } catch (error) {
      throw toRefusal(error, { late: watch.late(), timeoutMs: limits.timeoutMs });
    } finally {
      watch.stop();
      await connection.rollback().then(() => connection.close({ drop: watch.late() }))
        .catch(() => connection.close({ drop: true }).catch(() => {}));
    }
  }
}

function getConfig(settings: ServerPoolSettings): object {
  const { connections, ssl, user, password } = settings;
  return {
    user,
    password,
    connectString: getDescriptor(settings),
    sslServerDNMatch: ssl.mode === "verify-full",
    ...ssl.ca !== undefined && { walletContent: ssl.ca },
    poolMin: connections.min,
    poolMax: connections.max,
    poolTimeout: Math.ceil(connections.idleMs / 1000),
    queueTimeout: connections.acquireMs,
    connectTimeout: Math.ceil(connections.acquireMs / 1000),
    expireTime: 1,
  };
}

const PLAIN = /^[\w.$#:-]{1,200}$/;

/** Returns Oracle's own form of an address; characters that could close its brackets are rejected. */
function getDescriptor({ host, port, database, ssl }: ServerPoolSettings): string {
  const wrong = [host, database].find((it) => !PLAIN.test(it));
  if (wrong !== undefined) {
    throw new AppError(
      "misconfigured",
      say`${JSON.stringify(wrong)} is no name of a host or a service`,
    );
  }
  const isSecure = ssl.mode !== "disable";
  const address = `(PROTOCOL=${isSecure ? "tcps" : "tcp"})(HOST=${host})(PORT=${
    port ?? (isSecure ? 2484 : 1521)
  })`;
  return `(DESCRIPTION=(ADDRESS=${address})(CONNECT_DATA=(SERVICE_NAME=${database})))`;
}

type Most = Pick<ReadLimits, "maxRows" | "maxBytes">;
type Ask = (statement: Statement, most: Most) => Promise<PoolRows>;

/** `:p1`… */
function boundBy({ values }: Statement): object {
  return Object.fromEntries(
    values.map((value, at) => [`p${at + 1}`, typeof value === "boolean" ? Number(value) : value]),
  );
}

function getOptions(oracledb: Oracledb, { maxRows }: Most): object {
  return {
    outFormat: oracledb.OUT_FORMAT_ARRAY,
    maxRows: maxRows + 1,
    fetchTypeHandler: ({ dbType }: MetaData) => {
      if (dbType === oracledb.DB_TYPE_NUMBER || dbType === oracledb.DB_TYPE_CLOB) {
        return { type: oracledb.DB_TYPE_VARCHAR };
      }
      if (dbType === oracledb.DB_TYPE_BLOB) return { type: oracledb.DB_TYPE_RAW };
      return getType(oracledb, dbType) === "datetime"
        ? { converter: (value: Date | null) => value?.toISOString() ?? null }
        : undefined;
    },
  };
}

function getType(
  oracledb: Oracledb,
  dbType: unknown,
  { scale, precision }: Partial<MetaData> = {},
): string {
  if (dbType === oracledb.DB_TYPE_NUMBER) return scale === 0 && precision ? "integer" : "decimal";
  if (dbType === oracledb.DB_TYPE_RAW || dbType === oracledb.DB_TYPE_BLOB) return "binary";
  const moments = [
    oracledb.DB_TYPE_DATE,
    oracledb.DB_TYPE_TIMESTAMP,
    oracledb.DB_TYPE_TIMESTAMP_TZ,
    oracledb.DB_TYPE_TIMESTAMP_LTZ,
  ];
  return moments.includes(dbType) ? "datetime" : "string";
}

function toResult(oracledb: Oracledb, answer: Answer, { maxRows, maxBytes }: Most): PoolRows {
  const rows = answer.rows ?? [];
  if (bytesIn(rows) > maxBytes) throw tooManyBytes(maxBytes);
  return {
    columns: (answer.metaData ?? []).map((it) => ({
      name: it.name,
      type: getType(oracledb, it.dbType, it),
    })),
    rows: rows.slice(0, maxRows),
    truncated: rows.length > maxRows,
    affected: answer.rowsAffected ?? 0,
    command: "",
  };
}

const COLUMNS = `
select c.owner, c.table_name, c.column_name, c.data_type, c.data_scale, c.nullable,
  (select count(*) from all_views v where v.owner = c.owner and v.view_name = c.table_name),
  (select min(k.position) from all_constraints p join all_cons_columns k
    on k.owner = p.owner and k.constraint_name = p.constraint_name
    where p.constraint_type = 'P' and p.owner = c.owner and p.table_name = c.table_name and k.column_name = c.column_name)
from all_tab_columns c
where c.owner = sys_context('userenv', 'current_schema')
order by c.owner, c.table_name, c.column_id`;

/** Reads the tables of the schema the pool signs in to, without foreign keys. */
async function ownTables(
  read: (statement: Statement, limits: ReadLimits) => Promise<PoolRows>,
  limits: ReadLimits,
): Promise<readonly PoolTable[]> {
  const { rows } = await read({ text: COLUMNS, values: [] }, limits);
  return [...new Set(rows.map((it) => String(it[1])))].map((name) => {
    const own = rows.filter((it) => it[1] === name);
    return {
      schema: String(own[0]?.[0]),
      name,
      kind: Number(own[0]?.[6]) > 0 ? "view" as const : "table" as const,
      columns: own.map(([, , column, type, scale, nullable]) => ({
        name: String(column),
        type: typeNamed(String(type), scale),
        nullable: nullable === "Y",
      })),
      primaryKey: own.filter((it) => it[7] !== null)
        .sort((a, b) => Number(a[7]) - Number(b[7])).map((it) => String(it[2])),
      foreignKeys: [],
    };
  });
}

function typeNamed(type: string, scale: unknown): string {
  if (type === "NUMBER") return scale !== null && Number(scale) === 0 ? "integer" : "decimal";
  if (/^(DATE|TIMESTAMP)/.test(type)) return "datetime";
  return /^(RAW|BLOB|LONG RAW)/.test(type) ? "binary" : "string";
}

/**
 * ORA-00001 an existing row, 00060 a deadlock, 08177 a change by another transaction, 01456 a write in a reading
 * transaction, 01031 a missing right.
 */
function toRefusal(
  error: unknown,
  { late, timeoutMs }: { late: boolean; timeoutMs: number },
): AppError {
  if (error instanceof AppError) return error;
  if (late) return overdue(timeoutMs, error);
  const text = String((error as Error)?.message ?? error);
  const number = Number(/ORA-(\d{5})/.exec(text)?.[1] ?? NaN);
  if (Number.isNaN(number)) return notReached(error);
  const given = { code: `ORA-${String(number).padStart(5, "0")}`, text };
  return new RefusedStatement({ ...given, known: KNOWN[number] }, { cause: error });
}

const KNOWN: Readonly<Record<number, KnownRefusal>> = {
  1: ["conflict", say`A row with these values exists already`],
  60: COLLISION,
  1031: ["refused", say`The database role of the pool may not do this`],
  1456: ["misconfigured", say`The read query tried to write`],
  8177: COLLISION,
};
