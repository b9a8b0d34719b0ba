import type { Socket } from "node:net";
import pg from "pg";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { PoolQuery, PoolResult, Pools } from "#src/ports/pools.ts";
import { refusalOf } from "./refusals.ts";
import { asValue } from "./values.ts";

const PER_OWNER = 4;
const CONNECT_MS = 5_000;
const IDLE_MS = 30_000;
const TYPES = { getTypeParser: (oid: number) => (text: string) => asValue(oid, text) };

/** PostgreSQL databases by alias; each owner has connections of its own, under the role the address names. */
export function postgresPools(urls: ReadonlyMap<string, string>): Pools {
  const pools = new Map<string, pg.Pool>();
  const poolOf = (alias: string, owner: string): pg.Pool => {
    const url = urls.get(alias);
    if (url === undefined) {
      throw new AppError(
        "not_found",
        say`There is no pool ${alias}; POOL_${alias.toUpperCase()}_URL names its address`,
      );
    }
    const key = `${alias}\n${owner}`;
    const pool = pools.get(key) ?? openPool(url);
    pools.set(key, pool);
    return pool;
  };
  return {
    aliases: [...urls.keys()].sort(),
    run: async (query) => await runIn(poolOf(query.pool, query.owner), query),
    close: async () => void await Promise.all([...pools.values()].map((it) => it.end())),
  };
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: PER_OWNER,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
    application_name: "passerelle-connector",
  });
  pool.on("error", () => {}); // an idle connection ended; the next call opens another
  return pool;
}

async function runIn(pool: pg.Pool, query: PoolQuery): Promise<PoolResult> {
  const client = await pool.connect().catch((cause) => {
    throw new AppError("unavailable", say`The pool ${query.pool} cannot be reached`, {
      cause,
      retryAfter: 5,
    });
  });
  const lost = () => {}; // a connection that ends in hand fails its query, and is said there
  client.on("error", lost);
  const watch = watchTime(pool, client, query);
  const size = watchSize(client, query);
  let sound = false;
  try {
    await refuseSuperuser(client, query.pool);
    query.signal?.throwIfAborted(); // who left before it began has nothing to cancel
    const result = await inTransaction(client, query);
    await client.query("DISCARD ALL");
    sound = true;
    return result;
  } catch (error) {
    throw size.over() ?? refusalOf(error, { late: watch.late(), timeoutMs: query.timeoutMs });
  } finally {
    watch.stop();
    size.stop();
    client.off("error", lost);
    client.release(!sound); // a connection in doubt is closed, whatever was set in it
  }
}

async function inTransaction(client: pg.PoolClient, query: PoolQuery): Promise<PoolResult> {
  const timeout = Math.ceil(query.timeoutMs);
  await client.query(query.write ? "BEGIN" : "BEGIN READ ONLY");
  await client.query(`SET LOCAL statement_timeout = ${timeout}`);
  await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${timeout}`);
  const result = await client.query({
    // The line break keeps a comment at the end of the text from reaching what follows.
    text: query.write ? query.text : `SELECT * FROM (${query.text}\n) q LIMIT ${query.maxRows + 1}`,
    values: [...query.values],
    queryMode: "extended",
    rowMode: "array",
    types: TYPES,
  } as pg.QueryArrayConfig);
  await client.query("COMMIT");
  return shown(result, query.maxRows);
}

function shown(result: pg.QueryArrayResult, maxRows: number): PoolResult {
  const type = STATEMENTS.find((it) => it === result.command) ?? "SELECT";
  return {
    statementType: type,
    columns: result.fields.map((it) => it.name),
    rows: result.rows.slice(0, maxRows),
    truncated: result.rows.length > maxRows,
    updateCount: type === "SELECT" ? 0 : result.rowCount ?? 0,
  };
}

const STATEMENTS = ["SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"] as const;

/** No mode holds back a superuser: COPY … TO PROGRAM runs even in a read-only transaction. */
async function refuseSuperuser(client: pg.PoolClient, pool: string): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('is_superuser') AS it");
  if (rows[0]?.it === "on") {
    throw new AppError(
      "refused",
      say`The pool ${pool} signs in as a superuser; it needs a role with few rights of its own`,
    );
  }
}

/**
 * The second net: a statement can lift its own time limit, but not this one. It is cancelled over a connection apart, since
 * those of the pool may all be waiting to be cancelled.
 */
function watchTime(pool: pg.Pool, client: pg.PoolClient, { timeoutMs, signal }: PoolQuery) {
  let late = false;
  const cancel = () => {
    late = true;
    const { processID } = client as unknown as { processID?: number };
    cancelBackend(pool, processID).catch(() => {});
  };
  const timer = setTimeout(cancel, timeoutMs + 500);
  signal?.addEventListener("abort", cancel, { once: true });
  return {
    late: () => late,
    stop() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    },
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

/**
 * Counts what arrives as it arrives, before a driver has put a row together: over the budget the connection is closed,
 * which also takes back what a write did.
 */
function watchSize(client: pg.PoolClient, { maxBytes }: PoolQuery) {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  let received = 0;
  const count = (chunk: Uint8Array) => {
    received += chunk.length;
    if (received > maxBytes) stream.destroy();
  };
  stream.on("data", count);
  return {
    over: () =>
      received > maxBytes
        ? new AppError("refused", say`The result is larger than ${maxBytes} bytes`)
        : undefined,
    stop: () => void stream.off("data", count),
  };
}
