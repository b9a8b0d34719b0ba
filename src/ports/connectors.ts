import type { SentenceOrText } from "#src/kernel/i18n/kept.ts";
import type { Actor } from "./access.ts";

/** Call of a connector on behalf of a user. */
export interface ConnectorCall {
  /** Name of the connector. */
  readonly connector: string;
  /** Endpoint of an API connector, or query of an SQL connector. */
  readonly target: string;
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * User whose permissions count: `api:<connector>:<target>`, `sql:<connector>:<target>`, or the same with
   * `:write`.
   */
  readonly as: Pick<Actor, "username" | "permissions">;
  /** Identity of the call, for peers that recognise a repetition (`Idempotency-Key`). */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of an API call. */
export interface ApiOutcome {
  readonly kind: "api";
  /** HTTP status below 400. */
  readonly success: boolean;
  /** Absent when no answer came. */
  readonly statusCode?: number | undefined;
  /** Set when `success` is false. */
  readonly error?: SentenceOrText | undefined;
  /** Each response mapping of the endpoint; a value missing from the answer is null. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** Result of a named query. */
export interface SqlOutcome {
  readonly kind: "sql";
  readonly success: boolean;
  readonly statementType?: StatementType | undefined;
  /** Rows returned, of a SELECT. */
  readonly rowCount?: number | undefined;
  /** Rows affected by other statements. */
  readonly updateCount?: number | undefined;
  readonly error?: SentenceOrText | undefined;
  readonly firstRow?: Readonly<Record<string, unknown>> | undefined;
}

/** Kind of a statement. */
export type StatementType = "SELECT" | "INSERT" | "UPDATE" | "DELETE" | "MERGE";

/** Calls connectors. Every failure, including a missing permission, is an outcome and never an exception. */
export interface ConnectorCaller {
  /** Returns the permission code for a call of this target; undefined if the target does not exist. */
  permissionFor(target: Pick<ConnectorCall, "connector" | "target">): Promise<string | undefined>;
  /**
   * Returns true if a call has no effect at the peer: GET, HEAD or a query that only reads. Such a call is
   * repeated if the process ends during it. Other calls are not repeated, since they may have taken effect.
   */
  isRepeatable(target: Pick<ConnectorCall, "connector" | "target">): Promise<boolean>;
  call(call: ConnectorCall): Promise<ApiOutcome | SqlOutcome>;
}
