import pg from "pg";
import { delay } from "#src/kernel/delay.ts";
import { coded, CONNECTION_FAILURE } from "./connection_errors.ts";
import { endWhenForgotten, SILENT_MS } from "./silence.ts";
import { statementNames } from "./statements.ts";

/** How long a caller waits for a connection while the server is away or all are in use. */
const CONNECT_MS = 10_000;

/** A process frozen inside a transaction (a suspended machine) loses it after this long, and its locks with it. */
const IDLE_TRANSACTION_MS = 60_000;

/**
 * What the code relies on; a server, a database or a role may be set otherwise (`datestyle = 'German, DMY'`). The product's
 * tables lie in `public`, and there are views of the same names in the schema `passerelle`, which a user of that name would
 * read and write first. Extensions may lie anywhere else on the path. Compiling a statement (`jit`) takes fifty times what a page of
 * a list takes, and is done wherever the server expects more rows than there are. Nothing of it is said as the connection begins: a
 * pooler (PgBouncer) refuses who asks there for what it does not know.
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
  /** How long a connection may owe an answer before the server is asked after it. */
  readonly silentMs?: number;
  /** The only schema that names are looked for in; else first in `public`, then where the server looks. */
  readonly searchPath?: string;
  /** So much later who gets no connection hears of it: for callers that try again at once. */
  readonly refusalMs?: number;
}

/**
 * A pool that a server which goes away cannot kill the process through: what was under way fails, with a code that
 * says that the connection was lost, and the next caller gets a new connection.
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
    ...settingsOf(url, silentMs),
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
  pool.on("connect", (client) => client.on("error", () => {})); // whoever uses it hears of it by the query
  const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<pg.PoolClient> | void;
  pool.connect = ((callback?: Callback) => {
    if (callback) {
      return connect((error, ...rest) => {
        const tell = () => callback(coded(error), ...rest);
        if (error && refusalMs > 0) setTimeout(tell, refusalMs);
        else tell();
      });
    }
    return (connect() as Promise<pg.PoolClient>).catch(async (error) => {
      if (refusalMs > 0) await delay(refusalMs);
      throw coded(error);
    });
  }) as typeof pool.connect;
  return pool;
}

/** One connection by itself, for LISTEN. */
export function openClient(url: string, silentMs?: number): pg.Client {
  return new CodedClient(settingsOf(url, silentMs));
}

interface Settings extends pg.ClientConfig {
  readonly silentMs?: number;
}

function settingsOf(url: string, silentMs = SILENT_MS): Settings {
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

/** Whatever way an error takes out of the driver, it has its code. */
class CodedClient extends pg.Client {
  constructor(settings: Settings = {}) {
    super(settings);
    this.on("error", coded); // the pool tells a query of it by this event, before the query itself does
    const { silentMs = SILENT_MS } = settings;
    this.once("connect", () => {
      const { processID } = this as unknown as { processID?: number };
      const isAtWork = () => isServerAtWork(processID, { ...settings, query_timeout: silentMs });
      endWhenForgotten(this, isAtWork, silentMs);
    });
  }

  override query(...given: unknown[]): never {
    const args = named(given);
    const [statement, callback] = [args[0], args.at(-1)];
    const query = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (typeof callback === "function") {
      const tell: Callback = (error, ...rest) => callback(failureOf(error, statement), ...rest);
      return query(...args.slice(0, -1), tell) as never;
    }
    const pending = query(...args);
    if (!(pending instanceof Promise)) return pending as never;
    return pending.catch((error) => Promise.reject(failureOf(error, statement))) as never;
  }
}

const ONE_SELECT = /^select\b[^;]*$/;

/** The same query under a name where it is one that comes again; what has no values may be a script, and stays as it is. */
function named(args: unknown[]): unknown[] {
  const [query, values] = args as [pg.QueryConfig, unknown];
  if (typeof query?.text !== "string" || query.name !== undefined) return args;
  if (!Array.isArray(values) || !values.length && !ONE_SELECT.test(query.text)) return args;
  const name = prepared.of(query.text);
  return name === undefined ? args : [{ ...query, name }, ...args.slice(1)];
}

/** A prepared statement whose table was changed since, by an upgrade under way. */
const STALE = { code: "0A000", routine: "RevalidateCachedQuery" };

/** A stale statement counts as a lost connection: it is not prepared again, so that whoever tries again succeeds. */
function failureOf(error: unknown, statement: unknown): unknown {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string };
  if (code !== STALE.code || routine !== STALE.routine) return coded(error);
  prepared.forget((statement as pg.QueryConfig).text);
  return Object.assign(error as Error, { code: CONNECTION_FAILURE });
}

/** `ClientWrite`: it has answered, and waits for somebody to take it. A pooler in between may count sessions otherwise. */
const AT_WORK = `
select pg_backend_pid() as own, (
  select state = 'active' and wait_event is distinct from 'ClientWrite' from pg_stat_activity where pid = $1
) as works, (select state = 'disabled' from pg_stat_activity where pid = $1) as unknown`;

let asking: Promise<unknown> = Promise.resolve();

/** Whether the server works on a statement of that session; undefined where it cannot say. One is asked after at a time. */
function isServerAtWork(session: number | undefined, settings: pg.ClientConfig) {
  const answer = asking.then(async () => {
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
  asking = answer.catch(() => {});
  return answer;
}
