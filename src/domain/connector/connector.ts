import type { Template } from "../template/template.ts";

/** A parameter of an endpoint or a query; without a default it must be given. */
export interface Parameter {
  readonly name: string;
  readonly label: string;
  readonly default?: string | undefined;
}

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
  /** Path to the value to extract of a JSON answer; empty for none. */
  readonly responseField: string;
  /** As stored: `name|label|default`, several separated by `;` or line breaks. */
  readonly params: string;
  readonly parameters: readonly Parameter[];
  /** Output name → path into the JSON answer. */
  readonly mappings: Readonly<Record<string, string>>;
}

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

export interface ApiConnector {
  readonly kind: "api";
  readonly name: string;
  readonly hosts: readonly string[];
  readonly privateHosts: readonly string[];
  readonly timeoutMs: number;
  readonly endpoints: readonly Endpoint[];
  /** What `{$name}` stands for. */
  readonly values: Readonly<Record<string, string>>;
}

export interface SqlConnector {
  readonly kind: "sql";
  readonly name: string;
  readonly pool: string;
  readonly maxRows: number;
  readonly timeoutMs: number;
  readonly queries: readonly NamedQuery[];
}

export type Connector = ApiConnector | SqlConnector;

/** Names under which a template of type `connector` stores a connector. Any other property is a value for `{$name}`. */
export const CONNECTOR_PROPERTIES = {
  kind: "api (default) or sql",
  description: "free text",
  timeoutSeconds: "1 to 30; default 30",
  URL: "api: base of endpoint addresses that begin with /",
  hosts: "api: hosts that may be called, separated by commas; default: the host of URL",
  privateHosts: "api: those of them that may lie in a private network or on this machine",
  headers: "api: headers of every endpoint, one Name: value a line",
  pool: "sql: alias of the pool, whose address is the environment's POOL_<ALIAS>_URL",
  maxRows: "sql: 1 to 10000; default 1000",
  "endpoint.<name>": "api: JSON of an endpoint",
  "query.<name>": "sql: JSON of a named query",
} as const;

/** The permission a call needs. */
export function permissionOf(connector: Connector, target: string): string {
  if (connector.kind === "api") return `api:${connector.name}:${target}`;
  const writes = connector.queries.some((it) => it.name === target && it.write);
  return `sql:${connector.name}:${target}${writes ? ":write" : ""}`;
}

export type ConnectorTemplate = Pick<Template, "name" | "properties">;
