import { say } from "#src/kernel/i18n/sentence.ts";
import type { Need } from "../permission/need.ts";
import type { Template } from "../template/template.ts";

/** A parameter of an endpoint or a query; without a default it must be given. */
export interface Parameter {
  readonly name: string;
  readonly label: string;
  readonly default?: string | undefined;
}

/** One call of an API connector. */
export interface Endpoint {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  /** Absolute; `{param}` in path and query, `{$property}` for values of the connector. */
  readonly url: string;
  readonly method: string;
  /** One `Name: value` a line. */
  readonly headers: string;
  readonly body: string;
  /** Path of the value to extract from a JSON answer; empty for none. */
  readonly responseField: string;
  /** Stored form: `name|label|default`, several separated by `;` or line breaks. */
  readonly params: string;
  readonly parameters: readonly Parameter[];
  /** Output name → path into the JSON answer. */
  readonly mappings: Readonly<Record<string, string>>;
}

/** One statement of an SQL connector. */
export interface NamedQuery {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly sql: string;
  readonly write: boolean;
  readonly params: string;
  /** Defaults and labels; every `:name` of the text is a parameter, listed here or not. */
  readonly parameters: readonly Parameter[];
  readonly responseField: string;
}

/** Access to an external HTTP API. */
export interface ApiConnector {
  readonly kind: "api";
  readonly name: string;
  readonly hosts: readonly string[];
  readonly timeoutMs: number;
  /** Maximum number of attempts for a call that is safe to repeat. */
  readonly mostTries: number;
  /** Calls that begin in a second, of all processes; unbounded when absent. */
  readonly callsPerSecond?: number | undefined;
  /** Number of successive failures after which the peer is paused, and the length of the pause; absent: never. */
  readonly breaker?: { readonly failures: number; readonly openMs: number } | undefined;
  readonly endpoints: readonly Endpoint[];
  /** Values of the placeholders `{$name}`. */
  readonly values: Readonly<Record<string, string>>;
}

/** Access to an external database. */
export interface SqlConnector {
  readonly kind: "sql";
  readonly name: string;
  readonly pool: string;
  readonly maxRows: number;
  readonly timeoutMs: number;
  readonly queries: readonly NamedQuery[];
}

/** A named way to an outside API or database. */
export type Connector = ApiConnector | SqlConnector;

/** Returns the permission a call needs. */
export function getPermission(connector: Connector, target: string): string {
  if (connector.kind === "api") return `api:${connector.name}:${target}`;
  const writes = connector.queries.some((it) => it.name === target && it.write);
  return `sql:${connector.name}:${target}${writes ? ":write" : ""}`;
}

/**
 * Returns the permissions the owner of a connector needs on the database, in addition to those each caller needs:
 * the author of a query decides which data its callers see.
 */
export function needsOfConnector(connector: Connector): readonly Need[] {
  if (connector.kind === "api") return [];
  const writes = connector.queries.some((it) => it.write);
  const what = say`the queries of the connector ${connector.name}`;
  const modes = writes ? ["read", "write"] : ["read"];
  return modes.map((mode) => ({ code: `pool:${connector.pool}:${mode}`, what }));
}

export type ConnectorTemplate = Pick<Template, "name" | "properties">;
