import type { SentenceOrText } from "#src/kernel/sentences/kept.ts";
import type { Actor } from "./access.ts";

/** A call of a connector in somebody's name. */
export interface ConnectorCall {
  /** Name of the connector. */
  readonly connector: string;
  /** Endpoint of an API connector, or query of an SQL connector. */
  readonly target: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whose permissions count: `api:<connector>:<target>`, `sql:<connector>:<target>` or that with `:write`. */
  readonly as: Pick<Actor, "username" | "permissions">;
  /** Identity of the call, for peers that recognise a repetition (`Idempotency-Key`). */
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What became of a call of an API. */
export interface ApiOutcome {
  readonly kind: "api";
  /** HTTP status below 400. */
  readonly success: boolean;
  /** Absent when no answer came. */
  readonly statusCode?: number | undefined;
  /** Set when `success` is false. */
  readonly error?: SentenceOrText | undefined;
  /** Each response mapping the endpoint defines; one that is not in the answer is null. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** What became of a named query. */
export interface SqlOutcome {
  readonly kind: "sql";
  readonly success: boolean;
  readonly statementType?: StatementType | undefined;
  /** Rows returned, of a SELECT. */
  readonly rowCount?: number | undefined;
  /** Rows affected, of the others. */
  readonly updateCount?: number | undefined;
  readonly error?: SentenceOrText | undefined;
  readonly firstRow?: Readonly<Record<string, unknown>> | undefined;
}

/** What a statement does. */
export type StatementType = "SELECT" | "INSERT" | "UPDATE" | "DELETE" | "MERGE";

/** Calls what a connector describes; whatever goes wrong, the missing permission included, is an outcome and not an exception. */
export interface ConnectorCaller {
  /** The code a call of this target asks of its caller; undefined where there is no such target. */
  permissionFor(target: Pick<ConnectorCall, "connector" | "target">): Promise<string | undefined>;
  /**
   * True for what has no effect at the peer: GET and HEAD, a query that only reads. Cut off by the end of a process it is made
   * again; anything else is not, for it may have taken effect.
   */
  isRepeatable(target: Pick<ConnectorCall, "connector" | "target">): Promise<boolean>;
  call(call: ConnectorCall): Promise<ApiOutcome | SqlOutcome>;
}
