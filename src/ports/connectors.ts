import type { ConnectorResult } from "#src/domain/notification/mod.ts";

export type { ConnectorResult } from "#src/domain/notification/mod.ts";

export interface ConnectorTarget {
  readonly connector: string;
  /** Endpoint of an API connector, or query of an SQL connector. */
  readonly target: string;
}

export interface ConnectorCall extends ConnectorTarget {
  readonly params: Readonly<Record<string, string>>;
  /** The user in whose name it is made; the connector checks nothing of what this user may do. */
  readonly as: string;
  /** Identity of the call, for peers that recognise a repetition (`Idempotency-Key`). */
  readonly key: string;
  readonly signal: AbortSignal;
}

/** Named endpoints and queries of other systems. */
export interface ConnectorCaller {
  /** What a user must hold to make the call (`api:c:e`, `sql:c:q`, `sql:c:q:write`); undefined when there is no such target. */
  permissionFor(target: ConnectorTarget): Promise<string | undefined>;
  /** A failed call is an answer; it rejects only for a bug. */
  call(call: ConnectorCall): Promise<ConnectorResult>;
}

/** For an installation without connectors: every call fails with a sentence. */
export const noConnectors: ConnectorCaller = {
  permissionFor: () => Promise.resolve(undefined),
  call: ({ connector }) =>
    Promise.resolve({
      kind: "api",
      success: false,
      error: `The connector ${connector} is not configured`,
      outputs: {},
    }),
};
