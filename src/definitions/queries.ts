import {
  paramsIn,
  problemOfCondition,
  problemOfOwnQuery,
  problemOfQuery,
  type SqlDialect,
} from "#src/domain/connector/mod.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { QueryDefinition } from "./connectors.ts";
import { OWN_POOL } from "./pools.ts";
import { isRecord } from "./walk.ts";

/** As a definition would say it. */
const OWN = { driver: "postgres", read_only: true };

/**
 * Why a named query cannot be run on its pool, a definition or the name of the product's own; its SQL is read as that
 * database reads it. Undefined where it can.
 */
export function problemOfNamedQuery(value: unknown, pool: unknown): Sentence | undefined {
  if (!isRecord(value) || typeof value["sql"] !== "string") return undefined; // its schema says what is wrong
  if (pool !== OWN_POOL && !isRecord(pool)) return undefined; // a reference that is broken is told as such
  const query = value as unknown as QueryDefinition;
  const { driver: dialect, read_only } = (pool === OWN_POOL ? OWN : pool) as {
    driver: SqlDialect;
    read_only?: boolean;
  };
  const mode = query.mode ?? "read";
  return problemOfQuery(query.sql, { mode, dialect }) ??
    (pool === OWN_POOL ? problemOfOwn(query) : undefined) ??
    problemOfParams(query, dialect) ??
    (mode === "write" ? problemOfWrite(query, read_only ?? false) : undefined) ??
    problemOfTable(query, read_only ?? false) ??
    problemOfPages(query) ??
    problemOfCost(query, dialect) ??
    problemOfRowFilter(query, dialect);
}

function problemOfOwn({ sql, row_filter = {} }: QueryDefinition): Sentence | undefined {
  return [sql, ...Object.values(row_filter)].map(problemOfOwnQuery).find(Boolean);
}

function problemOfParams({ sql, params = {} }: QueryDefinition, dialect: SqlDialect) {
  const unknown = paramsIn(sql, dialect).find((it) => !Object.hasOwn(params, it));
  return unknown === undefined ? undefined : say`the parameter ${unknown} is not declared`;
}

function problemOfWrite(
  { audit, cache, params = {}, row_filter }: QueryDefinition,
  isReadOnly: boolean,
) {
  if (isReadOnly) return say`it writes, and its pool is for reading only`;
  if (cache) return say`it writes, and what a write answers is not kept`;
  if (row_filter) return say`it writes, and a row_filter is for reads: write the condition into it`;
  const missing = audit?.key.find((it) => !Object.hasOwn(params, it));
  return missing === undefined
    ? undefined
    : say`the key ${missing} of its audit is no parameter of it`;
}

/** Rows of a table are written by their key, whatever rows the query itself would show: nothing may depend on who asks. */
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

/** What a statement would cost is told by PostgreSQL alone, before it runs. */
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
