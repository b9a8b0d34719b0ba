import type { StatementType } from "./connectors.ts";

export interface PoolQuery {
  /** Name of the pool in the section `pools`, or the alias of `POOL_<ALIAS>_URL`. */
  readonly pool: string;
  /** One statement with `:name` parameters. */
  readonly text: string;
  /** The value of each parameter. */
  readonly values: Readonly<Record<string, unknown>>;
  /** False runs it in a read-only transaction, wrapped so that it can only be a query. */
  readonly write: boolean;
  readonly maxRows: number;
  /** Maximum size of the answer as the database sends it; a larger one ends the query as `refused`. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface PoolResult {
  readonly statementType: StatementType;
  readonly columns: readonly string[];
  /** At most `maxRows`; binary columns as bytes, exact numbers and dates as text. */
  readonly rows: readonly (readonly unknown[])[];
  /** There were more rows. */
  readonly truncated: boolean;
  /** Rows affected; 0 for a SELECT. */
  readonly updateCount: number;
}

/**
 * External databases for templates: the pools of the section `pools`, and those that only a variable names.
 * Throws AppError: `not_found` no such pool, `unavailable` it cannot be reached, `refused` the statement failed,
 * `upstream` it took too long.
 */
export interface Pools {
  /** Returns the names of the pools in the current settings and the variables. */
  aliases(): readonly string[];
  run(query: PoolQuery): Promise<PoolResult>;
}
