import {
  paramsIn,
  problemOfCondition,
  problemOfOwnQuery,
  problemOfQuery,
  problemOfRoleQuery,
  type SqlDialect,
} from "#src/domain/connector/mod.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { QueryDefinition } from "./connectors.ts";
import { isReadUnderRole, OWN_POOL } from "./pools.ts";
import { isRecord } from "./walk.ts";

/** The product's own pool, in the form of a definition. */
const OWN = { driver: "postgres", read_only: true };

/**
 * Explains why a named query cannot run on its pool, or returns undefined. The pool is a definition or the name
 * of the product's own. The SQL is parsed in the dialect of its database.
 */
export function problemOfNamedQuery(value: unknown, pool: unknown): Sentence | undefined {
  return findQueryProblem(value, pool)?.sentence;
}

export interface QueryProblem {
  readonly sentence: Sentence;
  /** Character of the SQL, from 0; undefined for a problem of another part. */
  readonly offset: number | undefined;
}

/** Finds the first problem that `problemOfNamedQuery` explains. */
export function findQueryProblem(value: unknown, pool: unknown): QueryProblem | undefined {
  if (!isRecord(value) || typeof value["sql"] !== "string") return undefined; // the schema reports it
  if (pool !== OWN_POOL && !isRecord(pool)) return undefined; // broken references are reported as such
  const query = value as unknown as QueryDefinition;
  const { driver: dialect, read_only } = (pool === OWN_POOL ? OWN : pool) as {
    driver: SqlDialect;
    read_only?: boolean;
  };
  const mode = query.mode ?? "read";
  const ofSql = problemOfQuery(query.sql, { mode, dialect }) ??
    (pool === OWN_POOL ? problemOfOwn(query) : undefined) ??
    problemOfRole(query, pool);
  if (ofSql) return { sentence: ofSql, offset: 0 };
  const ofParams = problemOfParams(query, dialect);
  if (ofParams) return ofParams;
  const sentence = (mode === "write" ? problemOfWrite(query, read_only ?? false) : undefined) ??
    problemOfTable(query, read_only ?? false) ??
    problemOfPages(query) ??
    problemOfCost(query, dialect) ??
    problemOfRowFilter(query, dialect);
  return sentence && { sentence, offset: undefined };
}

function problemOfOwn({ sql, row_filter = {} }: QueryDefinition): Sentence | undefined {
  return [sql, ...Object.values(row_filter)].map(problemOfOwnQuery).find(Boolean);
}

function problemOfRole({ sql, mode, row_filter = {} }: QueryDefinition, pool: unknown) {
  if (mode === "write" || !isReadUnderRole(pool)) return undefined;
  return [sql, ...Object.values(row_filter)].map(problemOfRoleQuery).find(Boolean);
}

function problemOfParams({ sql, params = {} }: QueryDefinition, dialect: SqlDialect) {
  const unknown = paramsIn(sql, dialect).find((it) => !Object.hasOwn(params, it));
  if (unknown === undefined) return undefined;
  const offset = Math.max(0, sql.search(new RegExp(`(?<!:):${unknown}\\b`)));
  return { sentence: say`the parameter ${unknown} is not declared`, offset };
}

function problemOfWrite(
  { audit, cache, params = {}, row_filter }: QueryDefinition,
  isReadOnly: boolean,
) {
  if (isReadOnly) return say`it writes, and its pool is for reading only`;
  if (cache) return say`it writes, and results of writes are never cached`;
  if (row_filter) return say`it writes, and a row_filter is for reads: write the condition into it`;
  const missing = audit?.key.find((it) => !Object.hasOwn(params, it));
  return missing === undefined
    ? undefined
    : say`the key ${missing} of its audit is no parameter of it`;
}

/**
 * Validates a writable table. Its rows are written by their key, whatever rows the query shows: nothing may
 * depend on the caller.
 */
function problemOfTable(
  { table, mode, row_filter, params = {} }: QueryDefinition,
  isReadOnly: boolean,
) {
  if (!table) return undefined;
  if (mode === "write") return say`it writes itself, and a table belongs to a query that reads`;
  if (isReadOnly) return say`its table is written, and its pool is for reading only`;
  if (row_filter) {
    return say`its table is written by key, past its row_filter: leave one of them out`;
  }
  const own = Object.entries(params).find(([, { from }]) => from !== undefined);
  return own &&
    say`its table is written by key, past what ${
      own[0]
    } takes from the caller: leave one of them out`;
}

function problemOfPages({ page = {} }: QueryDefinition): Sentence | undefined {
  return page.mode === "keyset" && !page.key ? say`pages by keyset need a key` : undefined;
}

/** Validates `max_cost`: only PostgreSQL estimates the cost of a statement before it runs. */
function problemOfCost({ max_cost, mode }: QueryDefinition, dialect: SqlDialect) {
  if (max_cost === undefined) return undefined;
  if (dialect !== "postgres") return say`max_cost is for PostgreSQL, and its pool is ${dialect}`;
  return mode === "write" ? say`it writes, and max_cost is for reads` : undefined;
}

function problemOfRowFilter({ row_filter = {} }: QueryDefinition, dialect: SqlDialect) {
  for (const [role, condition] of Object.entries(row_filter)) {
    const problem = problemOfCondition(condition, dialect);
    if (problem) return say`the row_filter of ${role}: ${problem}`;
  }
  return undefined;
}
