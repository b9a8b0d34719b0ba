import type { StatementType } from "./connectors.ts";

export interface PoolQuery {
  /** Alias of the pool, as in `POOL_<ALIAS>_URL`. */
  readonly pool: string;
  /** Who asks: connections are never shared between owners. */
  readonly owner: string;
  /** One statement with `$1…$n`. */
  readonly text: string;
  readonly values: readonly unknown[];
  /** False runs it in a read-only transaction, wrapped so that it can only be a query. */
  readonly write: boolean;
  readonly maxRows: number;
  /** Of the answer as the database sends it; over it the query ends as `refused`. */
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
 * Databases of others, reached under the role of their own that the pool's URL names. Throws AppError: `not_found` no
 * such pool, `unavailable` it cannot be reached, `refused` the statement failed, `upstream` it took too long.
 */
export interface Pools {
  readonly aliases: readonly string[];
  run(query: PoolQuery): Promise<PoolResult>;
  close(): Promise<void>;
}
