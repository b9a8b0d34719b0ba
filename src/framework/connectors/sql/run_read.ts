import type { Deps } from "#src/deps.ts";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { newSemaphore, type Semaphore } from "#src/kernel/concurrency/semaphore.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import type { PoolRow, Statement } from "#src/ports/pool.ts";
import { toWireRows, type WireRows } from "./answer.ts";
import { bindValues, rowCondition } from "./caller_values.ts";
import { buildCondition } from "./filter.ts";
import { type FoundQuery, usePool } from "./find_query.ts";
import {
  behind,
  createCursor,
  type Page,
  type PagingOptions,
  parsePaging,
  writePaging,
} from "./page.ts";
import {
  getLimits,
  learn,
  type PreparedQuery,
  prepareQuery,
  type QueryLimits,
  writeQuery,
} from "./prepare_query.ts";
import { errorForCaller, type StatementCaller } from "./refusals.ts";
import { type CachedResult, computeKey, type ResultCache } from "./result_cache.ts";
import { writeStatement } from "./statement.ts";

/** Dependencies of reading queries. */
export type ReadDeps = Pick<Deps, "accounts" | "clock" | "databases" | "live" | "log" | "vault">;

/** Limit of concurrent statements per caller and per query in a process. */
const AT_ONCE = { user: 4, query: 20 };
const EXPORTS_AT_ONCE = 2;

/** State that the calls of a process share. */
export interface QueryState {
  readonly cache: ResultCache;
  readonly users: Semaphore;
  readonly queries: Semaphore;
  /** Limit per caller, since each export holds a connection as long as it runs. */
  readonly exports: Semaphore;
  /** Limit per pool, by its name. */
  readonly poolExports: Semaphore;
}

/** Creates the shared state once per process: all APIs share the cache and the limits. */
export function newShared(cache: ResultCache, { user, query } = AT_ONCE): QueryState {
  const limit = (limit: number, full: (key: string) => Sentence) =>
    newSemaphore({ limit, full, retryAfter: 1 });
  return {
    cache,
    users: limit(user, (name) => say`${name} has ${user} queries under way; try again`),
    queries: limit(
      query,
      (name) => say`The query ${name} is under way ${query} times; try again`,
    ),
    exports: limit(EXPORTS_AT_ONCE, (name) => say`${name} has exports under way; try again`),
    poolExports: limit(
      EXPORTS_AT_ONCE,
      (pool) => say`The pool ${pool} has as many exports under way as it takes at once; try again`,
    ),
  };
}

export interface QueryCall extends StatementCaller {
  readonly found: FoundQuery;
  readonly params: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadCall extends QueryCall {
  readonly asked: PagingOptions;
  /** True to query the database in spite of a cached answer. */
  readonly anew?: boolean;
  /** Cache time that overrides the query's own. */
  readonly cache?: NonNullable<QueryDefinition["cache"]>;
}

export interface ReadAnswer extends WireRows {
  readonly hasMore: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly next?: string;
  readonly count?: number;
}

/**
 * Reads one page of a named query. Throws AppError `invalid` for wrong input, `throttled` when the caller or the query
 * has too many running statements, and the pool's errors.
 */
export async function runRead(
  deps: ReadDeps,
  shared: QueryState,
  call: ReadCall,
): Promise<CachedResult<ReadAnswer>> {
  const { found: { name: query, definition } } = call;
  const asking = await prepareRead(deps, call);
  const { pool } = asking;
  const ask = (signal?: AbortSignal) =>
    withSlots(
      shared,
      { call, limits: asking.limits, signal },
      () => answerRead(deps, { ...asking, signal }),
    );
  // Callers who wait for the same answer share its error, which each of them receives in the words that they may read.
  const refuse = (error: unknown): never => {
    throw errorForCaller(deps, error, { ...call, query });
  };
  const { cache = definition.cache } = call;
  if (!cache) return { value: await ask(call.signal).catch(refuse), age: 0, how: "miss" };
  const { statement, page } = asking;
  return await shared.cache.get({
    query,
    cache,
    key: computeKey({ query, definition, pool: pool.pool, statement, more: page.count }),
    anew: call.anew ?? false,
    ask: () => ask(), // the first caller may leave while others wait for the answer
  }).catch(refuse);
}

/** Runs work within the statement limits of the caller and the query. */
export async function withSlots<T>(
  { users, queries }: QueryState,
  { call: { actor, found, errorId: _ }, limits, signal }: {
    call: QueryCall;
    limits: Pick<QueryLimits, "acquireMs">;
    signal?: AbortSignal | undefined;
  },
  work: () => Promise<T>,
): Promise<T> {
  const waitMs = limits.acquireMs;
  return await users.run(
    () => queries.run(work, { key: found.name, waitMs, signal }),
    { key: actor.username, waitMs, signal },
  );
}

export interface Asking {
  readonly pool: NamedPool;
  readonly limits: QueryLimits;
  readonly page: Page;
  readonly query: PreparedQuery;
  readonly found: FoundQuery;
  readonly statement: Statement;
  /** The same without order and page. */
  readonly all: Statement;
  readonly signal?: AbortSignal | undefined;
}

/** Row limits of a read. */
export interface ReadRowLimits {
  /** Limit of all pages together when they are read as one, within the limits of query and pool. */
  readonly most?: number;
  /** Limit that overrides those of query and pool, for rows that are not stored. */
  readonly maxRows?: number;
}

/** The statement of a call, for its caller. */
export async function prepareRead(
  deps: ReadDeps,
  { found, params, actor, asked }: ReadCall,
  { most, maxRows }: ReadRowLimits = {},
): Promise<Asking> {
  const { definition } = found;
  const pool = await usePool(deps, found);
  const roles = definition.row_filter ? await deps.accounts.rolesOf(actor.username) : [];
  const query = prepareQuery(definition, pool.pool.dialect);
  const limits = {
    ...getLimits(definition, found.connector, pool, most),
    ...maxRows !== undefined && { maxRows, pageRows: maxRows },
  };
  const page = parsePaging(asked, { definition, name: found.name, vault: deps.vault, ...limits });
  const values = bindValues(definition, {
    params,
    actor,
    clock: deps.clock,
    snapshot: found.snapshot,
  });
  const writer = writeStatement(pool.pool.dialect);
  const own = writeQuery(query.parts, { values, writer });
  const columns = new Map((definition.filter ?? []).map((it) => [it, query.types.get(it)]));
  const within = [
    rowCondition(definition, { actor, roles, writer }),
    page.filter === undefined ? undefined : buildCondition(page.filter, { columns, writer }),
  ];
  // The line break keeps a comment at the end of the text from reaching what follows.
  const rows = (conditions: readonly (string | undefined)[]) => {
    const all = conditions.filter((it) => it !== undefined);
    return `from (${own}\n) q${all.length ? ` where ${all.join(" and ")}` : ""}`;
  };
  const all = writer.statement(rows(within));
  const paged = `select * ${rows([...within, behind(page, { writer, types: query.types })])}${
    writePaging(page, writer)
  }`;
  return { pool, limits, page, query, found, statement: writer.statement(paged), all };
}

async function answerRead(deps: ReadDeps, asking: Asking): Promise<ReadAnswer> {
  const { pool: { pool }, page, limits, statement, signal, found, query } = asking;
  await checkCost(asking);
  const { limit, offset } = page;
  const result = await pool.read(statement, { ...limits, maxRows: limit, signal });
  learn(query, result.columns);
  const count = page.count === "none" ? undefined : await countRows(asking);
  const last = result.truncated && page.byKey ? result.rows.at(-1) : undefined;
  const next = last &&
    createCursor(last, result.columns, { name: found.name, sort: page.sort, vault: deps.vault });
  return {
    ...toWireRows(result, found.definition),
    hasMore: result.truncated,
    limit,
    offset,
    ...next !== undefined && { next },
    ...count !== undefined && { count },
  };
}

/** Below it an estimate is worth no more than a count. */
const ESTIMATED_FROM = 1_000;

/** Counts rows; uses the database's estimate if it has one and the rows are many. */
async function countRows({ pool: { pool }, page, limits, all, signal }: Asking): Promise<number> {
  const read = (text: string) =>
    pool.read({ text, values: all.values }, { ...limits, maxRows: 1, signal });
  if (page.count === "estimated" && pool.dialect === "postgres") {
    const { rows } = await read(`explain (format json) select * ${all.text}`);
    const estimate = planIn(rows)["Plan Rows"];
    if (estimate >= ESTIMATED_FROM) return estimate;
  }
  const { rows } = await read(`select count(*) as n ${all.text}`);
  return Number(rows[0]?.[0]);
}

/** Throws AppError `refused` before a statement runs whose estimated cost exceeds the definition's limit. */
async function checkCost({ pool: { pool }, found, limits, statement, signal }: Asking) {
  const { max_cost: most } = found.definition;
  if (most === undefined) return;
  const { text, values } = statement;
  const explained = { text: `explain (format json) ${text}`, values };
  const { rows } = await pool.read(explained, { ...limits, maxRows: 1, signal });
  const cost = Math.round(planIn(rows)["Total Cost"]);
  if (cost > most) {
    throw new AppError(
      "refused",
      say`The query would cost ${cost} by the database's estimate, and ${most} is allowed: ask for less`,
    );
  }
}

/** PostgreSQL's plan, as EXPLAIN in JSON tells it. */
function planIn(rows: readonly PoolRow[]): { "Plan Rows": number; "Total Cost": number } {
  const [found] = rows[0]?.[0] as { Plan: ReturnType<typeof planIn> }[];
  return found?.Plan ?? { "Plan Rows": 0, "Total Cost": 0 };
}
