import pg from "pg";

/** How long a caller waits for a connection while the server is away or all are in use. */
const CONNECT_MS = 10_000;

/** A process frozen inside a transaction (a suspended machine) loses it after this long, and its locks with it. */
const IDLE_TRANSACTION_MS = 60_000;

export interface PoolOptions {
  readonly max: number;
  readonly idleTransactionMs?: number;
}

/**
 * A pool that a server which goes away cannot kill the process through: what was under way fails, with a code that
 * says that the connection was lost, and the next caller gets a new connection.
 */
export function openPool(
  url: string,
  { max, idleTransactionMs = IDLE_TRANSACTION_MS }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    ...settingsOf(url),
    max,
    idle_in_transaction_session_timeout: idleTransactionMs,
    Client: CodedClient,
  });
  pool.on("error", () => {}); // an idle connection that dies is replaced
  pool.on("connect", (client) => client.on("error", () => {})); // whoever uses it hears of it by the query
  const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<pg.PoolClient> | void;
  pool.connect = ((callback?: Callback) => {
    if (callback) return connect((error, ...rest) => callback(coded(error), ...rest));
    return (connect() as Promise<pg.PoolClient>).catch((error) => Promise.reject(coded(error)));
  }) as typeof pool.connect;
  return pool;
}

export function openClient(url: string): pg.Client {
  return new pg.Client(settingsOf(url));
}

function settingsOf(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    keepAlive: true,
    application_name: "passerelle",
    connectionTimeoutMillis: CONNECT_MS,
  };
}

type Callback = (error: unknown, ...rest: unknown[]) => void;

class CodedClient extends pg.Client {
  override query(...args: unknown[]): never {
    const callback = args.at(-1);
    const query = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (typeof callback === "function") {
      const tell: Callback = (error, ...rest) => callback(coded(error), ...rest);
      return query(...args.slice(0, -1), tell) as never;
    }
    const pending = query(...args);
    const told = pending instanceof Promise
      ? pending.catch((error) => Promise.reject(coded(error)))
      : pending;
    return told as never;
  }
}

/** The driver tells a lost connection in words only. */
function coded(error: unknown): unknown {
  if (!(error instanceof Error) || "code" in error) return error;
  return /connection|connect\b/i.test(error.message)
    ? Object.assign(error, { code: "CONNECTION_CLOSED" })
    : error;
}
