import type { Socket } from "node:net";
import pg from "pg";
import { statementNames } from "#src/adapters/postgres/statements.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  allBusy,
  type Batch,
  type DatabasePool,
  type Limits,
  notReached,
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
import { postgresTables } from "./tables.ts";
import { asValue, getType } from "./values.ts";

const TYPES = { getTypeParser: (oid: number) => (text: string) => asValue(oid, text) };
const BATCH = 500;
/** SQLSTATEs of a refused sign-in. */
const REFUSED_AT_SIGN_IN: Readonly<Record<string, RefusedPart>> = {
  "28000": "account",
  "28P01": "account",
  "3D000": "database",
};

export type PostgresSettings =
  & Pick<ServerPoolSettings, "connections" | "readRole" | "session">
  & ({ readonly url: string } | Omit<ServerPoolSettings, "driver">);

/** Opens PostgreSQL under a separate role. Superusers are refused, since no right limits them. */
export function postgresPool(settings: PostgresSettings): DatabasePool {
  return closeAfterWork(new PostgresPool(settings));
}

class PostgresPool implements DatabasePool {
  readonly dialect = "postgres";
  readonly #settings: PostgresSettings;
  readonly #session: string;
  readonly #pool: pg.Pool;
  readonly #names = statementNames();

  constructor(settings: PostgresSettings) {
    const session = getSettings(settings);
    this.#settings = settings;
    this.#session = session;
    this.#pool = new pg.Pool({
      ...getAddress(settings),
      ...getLimits(settings),
      pipeline: true, // the begin, the query and the end of a transaction are sent together
      verify: (client: pg.PoolClient, done: (error?: Error) => void) => {
        Promise.all([client.query(session), refuseSuperuser(client)]).then(() => done(), done);
      },
    } as pg.PoolConfig);
    this.#pool.on("error", () => {}); // an idle connection ended; the next call opens another
  }

  read(statement: Statement, limits: ReadLimits): Promise<PoolRows> {
    return this.#read(statement, limits, true);
  }

  async *stream(
    statement: Statement,
    limits: ReadLimits & { readonly wholeMs?: number },
  ): AsyncGenerator<Batch> {
    const client = await readConnection(this.#pool, limits);
    const use = guard(this.#pool, client, whole(limits));
    try {
      await client.query(this.#begin("READ ONLY", limits));
      yield* batches(client, statement, limits);
    } catch (error) {
      throw use.why(error);
    } finally {
      use.endsWith(client.query(UNDO));
    }
  }

  async write<T>(limits: Limits, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await readConnection(this.#pool, limits);
    const use = guard(this.#pool, client, limits);
    const describe = async (text: string) => {
      await client.query(text).catch((error) => Promise.reject(use.why(error)));
    };
    try {
      await describe(this.#begin("READ WRITE", limits));
      const done = await work(transactionOn(client, use));
      await describe("COMMIT");
      return done;
    } finally {
      use.endsWith(client.query(`ROLLBACK; ${FORGET}; ${this.#session}`)); // nothing to take back after a COMMIT
    }
  }

  tables(limits: ReadLimits) {
    return postgresTables((statement, limits) => this.read(statement, limits), limits);
  }

  stats() {
    const { totalCount: open, idleCount, waitingCount: waiting } = this.#pool;
    return { open, busy: open - idleCount, waiting, max: this.#settings.connections.max };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  #begin(mode: "READ ONLY" | "READ WRITE", { timeoutMs }: Limits): string {
    const role = mode === "READ ONLY" && this.#settings.readRole;
    return `BEGIN ${mode}; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}` +
      (role ? `; SET LOCAL ROLE ${pg.escapeIdentifier(role)}` : "");
  }

  async #read(statement: Statement, limits: ReadLimits, again: boolean): Promise<PoolRows> {
    const client = await readConnection(this.#pool, limits);
    const use = guard(this.#pool, client, limits);
    const name = this.#names.of(statement.text);
    try {
      const { begun, answer, undone } = inOneWrite(client, () => ({
        begun: client.query(this.#begin("READ ONLY", limits)),
        answer: client.query(buildQuery(statement, name)),
        undone: client.query(UNDO),
      }));
      const settled = Promise.allSettled([begun, answer]);
      use.endsWith(undone, settled);
      const [before, result] = await settled;
      if (before.status === "rejected") throw before.reason;
      if (result.status === "rejected") throw result.reason;
      use.check();
      return toResult(result.value, limits.maxRows);
    } catch (error) {
      if (name === undefined || !again || !isStale(error)) throw use.why(error);
    }
    this.#names.forget(statement.text);
    return await this.#read(statement, limits, false);
  }
}

/** Statements that undo a query: the rollback also reverts session settings, but not session locks. */
const UNDO = "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock_all()";
/** All that `DISCARD ALL` takes back but the prepared statements. */
const FORGET =
  "CLOSE ALL; SET SESSION AUTHORIZATION DEFAULT; RESET ALL; UNLISTEN *; SELECT pg_catalog.pg_advisory_unlock_all(); DISCARD TEMP; DISCARD SEQUENCES";

function getAddress(settings: PostgresSettings): pg.ClientConfig {
  if ("url" in settings) return { connectionString: settings.url };
  const { host, port, database, user, password, ssl } = settings;
  return {
    host,
    port: port ?? 5432,
    database,
    user,
    password: password ?? "",
    ssl: ssl.mode === "disable" ? false : {
      rejectUnauthorized: ssl.mode !== "require",
      ...ssl.ca !== undefined && { ca: ssl.ca },
      ...ssl.mode === "verify-ca" && { checkServerIdentity: () => undefined },
    },
  };
}

/**
 * Settings on which `asValue` relies; a server, a database or a role may have others (`datestyle = 'German,
 * DMY'`).
 */
const READ_BY: [string, string | number][] = [
  ["DateStyle", "ISO"],
  ["IntervalStyle", "postgres"],
  ["bytea_output", "hex"],
  ["extra_float_digits", 1],
];

function getLimits({ connections, session }: PostgresSettings): pg.PoolConfig {
  return {
    min: connections.min,
    max: connections.max,
    connectionTimeoutMillis: connections.acquireMs,
    idleTimeoutMillis: connections.idleMs,
    maxLifetimeSeconds: Math.ceil(connections.lifetimeMs / 1000),
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: session.applicationName,
  } as pg.PoolConfig;
}

/**
 * Returns the statement that sets a session's fixed settings. They are not startup parameters, because a pooler
 * (PgBouncer) rejects clients with parameters it does not know. Function names are qualified, since a role may
 * have functions of these names first on its path.
 */
function getSettings({ session }: PostgresSettings): string {
  const settings: [string, string | number | undefined][] = [
    ...READ_BY,
    ["TimeZone", session.timeZone],
    ["search_path", session.searchPath?.map((it) => pg.escapeIdentifier(it)).join(",")],
    ["lock_timeout", session.lockTimeoutMs],
    ["idle_in_transaction_session_timeout", session.idleInTransactionMs],
  ];
  const set = settings.flatMap(([name, value]) =>
    value === undefined
      ? []
      : `pg_catalog.set_config('${name}', ${pg.escapeLiteral(String(value))}, false)`
  );
  return `SELECT ${set.join(", ")}`;
}

async function readConnection(pool: pg.Pool, { signal }: Limits): Promise<pg.PoolClient> {
  const isFull = pool.totalCount >= pool.options.max && pool.idleCount === 0;
  const client = await pool.connect().catch((cause) => {
    if (cause instanceof AppError) throw cause;
    throw isFull && /timeout exceeded/.test(String(cause?.message))
      ? allBusy(cause)
      : notReached(cause, REFUSED_AT_SIGN_IN[cause?.code]);
  });
  if (signal?.aborted) { // who left before it began has nothing to cancel
    client.release();
    throw signal.reason;
  }
  return client;
}

/** No mode holds back a superuser: COPY … TO PROGRAM runs even in a read-only transaction. */
async function refuseSuperuser(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query("SELECT pg_catalog.current_setting('is_superuser') AS it");
  if (rows[0]?.it !== "on") return;
  throw new AppError(
    "refused",
    say`The pool signs in as a superuser; it needs a separate role with few rights`,
  );
}

function buildQuery({ text, values }: Statement, name: string | undefined) {
  return {
    text,
    values: [...values],
    queryMode: "extended", // one statement, also where it has no values
    rowMode: "array",
    types: TYPES,
    ...name !== undefined && { name },
  } as pg.QueryArrayConfig;
}

function toResult(result: pg.QueryArrayResult, maxRows: number): PoolRows {
  const command = result.command ?? "";
  return {
    columns: result.fields.map(({ name, dataTypeID }) => ({ name, type: getType(dataTypeID) })),
    rows: result.rows.slice(0, maxRows),
    truncated: result.rows.length > maxRows,
    affected: command === "SELECT" ? 0 : result.rowCount ?? 0,
    command,
  };
}

async function* batches(
  client: pg.PoolClient,
  { text, values }: Statement,
  { maxRows }: ReadLimits,
): AsyncGenerator<Batch> {
  await client.query(
    buildQuery({ text: `DECLARE passing NO SCROLL CURSOR FOR ${text}`, values }, undefined),
  );
  for (let left = maxRows; left > 0;) {
    const fetch = `FETCH ${Math.min(BATCH, left)} FROM passing`;
    const { columns, rows } = toResult(
      await client.query(buildQuery({ text: fetch, values: [] }, undefined)),
      left,
    );
    yield { columns, rows };
    left -= rows.length;
    if (rows.length < BATCH) return;
  }
}

function transactionOn(client: pg.PoolClient, use: Use): Transaction {
  return {
    async run(statement, { maxRows, maxBytes }) {
      use.allow(maxBytes);
      try {
        const result = await client.query(buildQuery(statement, undefined));
        use.check();
        return toResult(result, maxRows);
      } catch (error) {
        throw use.why(error);
      }
    },
  };
}

/** Limits all batches together. */
function whole<L extends Limits & { readonly wholeMs?: number }>(limits: L): L {
  return { ...limits, timeoutMs: limits.wholeMs ?? limits.timeoutMs };
}

/** A prepared statement whose table was changed since. */
function isStale(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === "0A000" && routine === "RevalidateCachedQuery";
}

function getStream(client: pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/** Sends the statements in one packet; separate writes would cost a system call each and wake the server. */
function inOneWrite<T>(client: pg.PoolClient, ask: () => T): T {
  const stream = getStream(client);
  stream.cork();
  try {
    return ask();
  } finally {
    stream.uncork();
  }
}

interface Use {
  /** Bytes that may still come. */
  allow(maxBytes: number): void;
  /** Releases the connection when `last` has ended; its time is limited until `work` has. */
  endsWith(last: Promise<unknown>, work?: Promise<unknown>): void;
  why(error: unknown): AppError;
  /** Throws where more bytes came than may. */
  check(): void;
}

/**
 * Guards a connection in use. It is the second time limit: a statement can lift its own limit, but not this one.
 * The cancel request uses a separate connection, since those of the pool may all be waiting for one. Bytes are
 * counted as they arrive, before the driver assembles a row. Beyond the limit the connection is closed, which
 * also rolls back a write.
 */
function guard(pool: pg.Pool, client: pg.PoolClient, limits: Limits & { maxBytes?: number }): Use {
  const lost = () => {}; // a connection that ends in use fails its query, which reports it
  client.on("error", lost);
  let late = false;
  const stream = getStream(client);
  const heard = cutWhenUnheard(stream);
  const cancel = () => {
    late = true;
    const { processID } = client as unknown as { processID?: number };
    cancelBackend(pool, processID).catch(() => {});
    heard.expect();
  };
  const timer = setTimeout(cancel, limits.timeoutMs + 500);
  limits.signal?.addEventListener("abort", cancel, { once: true });
  let [received, budget] = [0, limits.maxBytes ?? Infinity];
  const count = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > budget) stream.destroy();
  };
  stream.on("data", count);
  const stop = () => {
    clearTimeout(timer);
    limits.signal?.removeEventListener("abort", cancel);
    stream.off("data", count);
  };
  const release = (isSound: boolean) => {
    heard.end();
    client.off("error", lost);
    client.release(!isSound || late || received > budget); // a connection in doubt is closed, whatever was set in it
  };
  return {
    allow: (maxBytes) => void (budget = received + maxBytes),
    endsWith(last, work = Promise.resolve()) {
      work.then(() => {
        stop();
        heard.expect();
      });
      last.then(() => release(true), () => release(false));
    },
    check() {
      if (received > budget) throw tooManyBytes(budget);
    },
    why: (error) =>
      received > budget
        ? tooManyBytes(budget)
        : toAppError(error, { late, timeoutMs: limits.timeoutMs }),
  };
}

async function cancelBackend({ options }: pg.Pool, processId: number | undefined): Promise<void> {
  const apart = new pg.Client(options);
  apart.on("error", () => {});
  try {
    await apart.connect();
    await apart.query("SELECT pg_cancel_backend($1)", [processId]);
  } finally {
    await apart.end();
  }
}
