import type { Deps } from "#src/deps.ts";
import type { QueryDefinition } from "#src/definitions/connectors.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { NamedPool } from "#src/ports/databases.ts";
import type { Row, Statement } from "#src/ports/pool.ts";
import { type WireRows, wireRowsOf } from "./answer.ts";
import { rowCondition, valuesOf } from "./caller_values.ts";
import { conditionOf } from "./filter.ts";
import { type FoundQuery, poolOf } from "./find_query.ts";
import { type Asked, behind, type Page, pageOf, tailOf, tokenOf } from "./page.ts";
import {
  learn,
  limitsOf,
  type PreparedQuery,
  prepareQuery,
  type QueryLimits,
  textOf,
} from "./prepare_query.ts";
import { type Caller, errorForCaller } from "./refusals.ts";
import { type Kept, keyOf, type ResultCache } from "./result_cache.ts";
import { writeStatement } from "./statement.ts";
import { newTurns, type Turns } from "./turns.ts";

/** What running a query that reads takes. */
export type ReadNeeds = Pick<Deps, "accounts" | "clock" | "databases" | "live" | "log" | "vault">;

/** Statements of one caller, and of one query, that a process runs at once. */
const AT_ONCE = { user: 4, query: 20 };
const EXPORTS_AT_ONCE = 2;

/** What the calls of a process share. */
export interface Shared {
  readonly cache: ResultCache;
  readonly users: Turns;
  readonly queries: Turns;
  /** Of a caller: each holds a connection as long as it lasts. */
  readonly exports: Turns;
  /** Of a pool, by its name. */
  readonly poolExports: Turns;
}

/** Made once in a process: calls of all its doors share the cache and take their turns together. */
export function newShared(cache: ResultCache, { user, query } = AT_ONCE): Shared {
  return {
    cache,
    users: newTurns(user),
    queries: newTurns(query),
    exports: newTurns(EXPORTS_AT_ONCE),
    poolExports: newTurns(EXPORTS_AT_ONCE),
  };
}

export interface QueryCall extends Caller {
  readonly found: FoundQuery;
  readonly params: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadCall extends QueryCall {
  readonly asked: Asked;
  /** Asks the database though an answer is kept. */
  readonly anew?: boolean;
  /** How long its answer is kept, in place of what the query says. */
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
 * One page of a named query. Throws AppError `invalid` for what was asked wrongly, `throttled` where the caller or the query has
 * too many under way, and what a pool throws.
 */
export async function runRead(
  needs: ReadNeeds,
  shared: Shared,
  call: ReadCall,
): Promise<Kept<ReadAnswer>> {
  const { found: { name: query, definition } } = call;
  const asking = await prepared(needs, call);
  const { pool } = asking;
  const ask = (signal?: AbortSignal) =>
    inTurn(
      shared,
      { call, limits: asking.limits, signal },
      () => answered(needs, { ...asking, signal }),
    )
      .catch((error) => {
        throw errorForCaller(needs, error, { ...call, query });
      });
  const { cache = definition.cache } = call;
  if (!cache) return { value: await ask(call.signal), age: 0, how: "miss" };
  const { statement, page } = asking;
  return await shared.cache.get({
    query,
    cache,
    key: keyOf({ query, definition, pool: pool.pool, statement, more: page.count }),
    anew: call.anew ?? false,
    ask, // whoever asked first may leave, and others wait for the answer
  });
}

/** Within what a caller, and a query, may have under way. */
export async function inTurn<T>(
  { users, queries }: Shared,
  { call: { actor, found, errorId: _ }, limits, signal }: {
    call: QueryCall;
    limits: Pick<QueryLimits, "acquireMs">;
    signal?: AbortSignal | undefined;
  },
  work: () => Promise<T>,
): Promise<T> {
  const waitMs = limits.acquireMs;
  const mine = say`${actor.username} has ${users.most} queries under way; try again`;
  const all = say`The query ${found.name} is under way ${queries.most} times; try again`;
  return await users.take(
    actor.username,
    { waitMs, signal, full: mine },
    () => queries.take(found.name, { waitMs, signal, full: all }, work),
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

/** How many rows are read. */
export interface Reading {
  /** Of all pages together, where they are read as one, as far as the query and its pool allow. */
  readonly most?: number;
  /** In place of what the query and its pool allow, for rows that nobody keeps. */
  readonly maxRows?: number;
}

/** The statement of a call, for its caller. */
export async function prepared(
  needs: ReadNeeds,
  { found, params, actor, asked }: ReadCall,
  { most, maxRows }: Reading = {},
): Promise<Asking> {
  const { definition } = found;
  const pool = await poolOf(needs, found);
  const roles = definition.row_filter ? await needs.accounts.rolesOf(actor.username) : [];
  const query = prepareQuery(definition, pool.pool.dialect);
  const limits = {
    ...limitsOf(definition, found.connector, pool, most),
    ...maxRows !== undefined && { maxRows, pageRows: maxRows },
  };
  const page = pageOf(asked, { definition, name: found.name, vault: needs.vault, ...limits });
  const values = valuesOf(definition, {
    params,
    actor,
    clock: needs.clock,
    snapshot: found.snapshot,
  });
  const writer = writeStatement(pool.pool.dialect);
  const own = textOf(query.parts, { values, writer });
  const columns = new Map((definition.filter ?? []).map((it) => [it, query.types.get(it)]));
  const within = [
    rowCondition(definition, { actor, roles, writer }),
    page.filter === undefined ? undefined : conditionOf(page.filter, { columns, writer }),
  ];
  // The line break keeps a comment at the end of the text from reaching what follows.
  const rows = (conditions: readonly (string | undefined)[]) => {
    const all = conditions.filter((it) => it !== undefined);
    return `from (${own}\n) q${all.length ? ` where ${all.join(" and ")}` : ""}`;
  };
  const all = writer.statement(rows(within));
  const paged = `select * ${rows([...within, behind(page, { writer, types: query.types })])}${
    tailOf(page, writer)
  }`;
  return { pool, limits, page, query, found, statement: writer.statement(paged), all };
}

async function answered(needs: ReadNeeds, asking: Asking): Promise<ReadAnswer> {
  const { pool: { pool }, page, limits, statement, signal, found, query } = asking;
  await checkCost(asking);
  const { limit, offset } = page;
  const result = await pool.read(statement, { ...limits, maxRows: limit, signal });
  learn(query, result.columns);
  const count = page.count === "none" ? undefined : await counted(asking);
  const last = result.truncated && page.byKey ? result.rows.at(-1) : undefined;
  const next = last &&
    tokenOf(last, result.columns, { name: found.name, sort: page.sort, vault: needs.vault });
  return {
    ...wireRowsOf(result, found.definition),
    hasMore: result.truncated,
    limit,
    offset,
    ...next !== undefined && { next },
    ...count !== undefined && { count },
  };
}

/** Below it an estimate is worth no more than a count. */
const ESTIMATED_FROM = 1_000;

/** By the database's own estimate where it tells one and the rows are many. */
async function counted({ pool: { pool }, page, limits, all, signal }: Asking): Promise<number> {
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

/** Throws AppError `refused` for what the database takes for more costly than its definition allows, before it runs. */
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
function planIn(rows: readonly Row[]): { "Plan Rows": number; "Total Cost": number } {
  const [found] = rows[0]?.[0] as { Plan: ReturnType<typeof planIn> }[];
  return found?.Plan ?? { "Plan Rows": 0, "Total Cost": 0 };
}
