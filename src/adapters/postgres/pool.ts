import { newMutex } from "#src/kernel/concurrency/mutex.ts";
import pg from "pg";
import { delay } from "#src/kernel/delay.ts";
import { assignErrorCode, CONNECTION_FAILURE } from "./connection_errors.ts";
import { endWhenForgotten, SILENT_MS } from "./silence.ts";
import { statementNames } from "./statements.ts";

/** Time a caller waits for a connection while the server is away or all are in use. */
const CONNECT_MS = 10_000;

/** A process frozen inside a transaction (a suspended machine) loses it after this long, and its locks with it. */
const IDLE_TRANSACTION_MS = 60_000;

/**
 * Settings on which the code relies; a server, a database or a role may have others (`datestyle = 'German,
 * DMY'`). The product's tables are in `public`. The schema `passerelle` has views of the same names, which a user
 * of that name would otherwise read and write first. Extensions may be anywhere else on the path. Compiling a
 * statement (`jit`) takes fifty times as long as a page of a list, and happens whenever the server overestimates
 * the rows. They are not startup parameters, because a pooler (PgBouncer) rejects clients with parameters it does
 * not know.
 */
const SESSION =
  "set datestyle to iso; set default_transaction_isolation to 'read committed'; set jit to off; ";
const PUBLIC_FIRST =
  "select set_config('search_path', concat_ws(', ', 'public', nullif(current_setting('search_path'), '')), false)";

/** Connections to one database. */
export interface PoolOptions {
  readonly max: number;
  readonly idleTransactionMs?: number;
  readonly connectMs?: number;
  /** Time a connection may owe an answer before the server is queried about it. */
  readonly silentMs?: number;
  /** The only schema that is searched for names; by default `public` first, then the server's path. */
  readonly searchPath?: string;
  /** Delay before a caller learns that it gets no connection, for callers that try again at once. */
  readonly refusalMs?: number;
}

/**
 * Opens a pool that survives the loss of its server. Running work fails with a code for the lost connection, and
 * the next caller gets a new connection.
 */
export function openPool(
  url: string,
  {
    max,
    idleTransactionMs = IDLE_TRANSACTION_MS,
    connectMs = CONNECT_MS,
    silentMs,
    searchPath,
    refusalMs = 0,
  }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...getSettings(url, silentMs),
    connectionTimeoutMillis: connectMs,
    max,
    Client: CodedClient,
    verify: (client: pg.PoolClient, done: (error?: Error) => void) => {
      const path = searchPath === undefined ? PUBLIC_FIRST : `set search_path to ${searchPath}`;
      const limit = `set idle_in_transaction_session_timeout to ${idleTransactionMs}; `;
      client.query(SESSION + limit + path).then(() => done(), done);
    },
  } as pg.PoolConfig);
  pool.on("error", () => {}); // an idle connection that dies is replaced
  pool.on("connect", (client) => client.on("error", () => {})); // the query of its user reports the error
  const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<pg.PoolClient> | void;
  pool.connect = ((callback?: Callback) => {
    if (callback) {
      return connect((error, ...rest) => {
        const tell = () => callback(assignErrorCode(error), ...rest);
        if (error && refusalMs > 0) setTimeout(tell, refusalMs);
        else tell();
      });
    }
    return (connect() as Promise<pg.PoolClient>).catch(async (error) => {
      if (refusalMs > 0) await delay(refusalMs);
      throw assignErrorCode(error);
    });
  }) as typeof pool.connect;
  return pool;
}

/** Opens a single connection, for LISTEN. */
export function openClient(url: string, silentMs?: number): pg.Client {
  return new CodedClient(getSettings(url, silentMs));
}

interface Settings extends pg.ClientConfig {
  readonly silentMs?: number;
}

function getSettings(url: string, silentMs = SILENT_MS): Settings {
  return {
    silentMs,
    connectionString: url,
    keepAlive: true,
    application_name: "passerelle",
    connectionTimeoutMillis: CONNECT_MS,
  };
}

type Callback = (error: unknown, ...rest: unknown[]) => void;

const prepared = statementNames();

/** Client whose errors always have their code. */
class CodedClient extends pg.Client {
  constructor(settings: Settings = {}) {
    super(settings);
    this.on("error", assignErrorCode); // this event reaches the pool's query before the query itself fails
    const { silentMs = SILENT_MS } = settings;
    this.once("connect", () => {
      const { processID } = this as unknown as { processID?: number };
      const isAtWork = () => isServerAtWork(processID, { ...settings, query_timeout: silentMs });
      endWhenForgotten(this, isAtWork, silentMs);
    });
  }

  override query(...given: unknown[]): never {
    const args = nameQuery(given);
    const [statement, callback] = [args[0], args.at(-1)];
    const query = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (typeof callback === "function") {
      const tell: Callback = (error, ...rest) => callback(toFailure(error, statement), ...rest);
      return query(...args.slice(0, -1), tell) as never;
    }
    const pending = query(...args);
    if (!(pending instanceof Promise)) return pending as never;
    return pending.catch((error) => Promise.reject(toFailure(error, statement))) as never;
  }
}

const ONE_SELECT = /^select\b[^;]*$/;

/** Names a repeated query, so that it is prepared; a text without values may be a script and stays unnamed. */
function nameQuery(args: unknown[]): unknown[] {
  const [query, values] = args as [pg.QueryConfig, unknown];
  if (typeof query?.text !== "string" || query.name !== undefined) return args;
  if (!Array.isArray(values) || !values.length && !ONE_SELECT.test(query.text)) return args;
  const name = prepared.of(query.text);
  return name === undefined ? args : [{ ...query, name }, ...args.slice(1)];
}

/** Error of a prepared statement whose table has changed since, during an upgrade. */
const STALE = { code: "0A000", routine: "RevalidateCachedQuery" };

/**
 * Converts a failure. A stale statement counts as a lost connection and is not prepared again, so that a retry
 * succeeds.
 */
function toFailure(error: unknown, statement: unknown): unknown {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string };
  if (code !== STALE.code || routine !== STALE.routine) return assignErrorCode(error);
  prepared.forget((statement as pg.QueryConfig).text);
  return Object.assign(error as Error, { code: CONNECTION_FAILURE });
}

/**
 * Query for the state of a session. `ClientWrite` means that it has answered and waits for its client. A pooler
 * in between may number sessions differently.
 */
const AT_WORK = `
select pg_backend_pid() as own, (
  select state = 'active' and wait_event is distinct from 'ClientWrite' from pg_stat_activity where pid = $1
) as works, (select state = 'disabled' from pg_stat_activity where pid = $1) as unknown`;

const oneAtATime = newMutex();

/**
 * Checks whether the server works on a statement of that session; undefined if it cannot say. Checks run one at a
 * time.
 */
function isServerAtWork(session: number | undefined, settings: pg.ClientConfig) {
  return oneAtATime(async () => {
    const apart = new pg.Client(settings);
    apart.on("error", () => {});
    try {
      await apart.connect();
      const { rows: [known] } = await apart.query(AT_WORK, [session]);
      const { processID } = apart as unknown as { processID?: number };
      return known.own !== processID || known.unknown ? undefined : known.works === true;
    } finally {
      apart.end().catch(() => {});
    }
  });
}
