import type { Actor } from "./access.ts";

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

export interface ApiOutcome {
  readonly kind: "api";
  /** HTTP status below 400. */
  readonly success: boolean;
  /** Absent when no answer came. */
  readonly statusCode?: number | undefined;
  /** Set when `success` is false. */
  readonly error?: string | undefined;
  /** Each response mapping the endpoint defines; one that is not in the answer is null. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

export interface SqlOutcome {
  readonly kind: "sql";
  readonly success: boolean;
  readonly statementType?: StatementType | undefined;
  /** Rows returned, of a SELECT. */
  readonly rowCount?: number | undefined;
  /** Rows affected, of the others. */
  readonly updateCount?: number | undefined;
  readonly error?: string | undefined;
  readonly firstRow?: Readonly<Record<string, unknown>> | undefined;
}

export type StatementType = "SELECT" | "INSERT" | "UPDATE" | "DELETE" | "MERGE";

/** Calls what a connector describes; whatever goes wrong, the missing permission included, is an outcome and not an exception. */
export interface ConnectorCaller {
  /** The code a call of this target asks of its caller; undefined where there is no such target. */
  permissionFor(target: Pick<ConnectorCall, "connector" | "target">): Promise<string | undefined>;
  call(call: ConnectorCall): Promise<ApiOutcome | SqlOutcome>;
}
