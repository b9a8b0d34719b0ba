import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import { isSegment } from "../permission/code.ts";
import { CONNECTOR_CATALOGUE } from "../template/catalogue_connectors.ts";
import { describeExpectation, givenText, namedProperties } from "../template/read_property.ts";
import type {
  ApiConnector,
  Connector,
  ConnectorTemplate,
  Endpoint,
  NamedQuery,
  Parameter,
} from "./connector.ts";
import { problemOfHeaders } from "./headers.ts";
import { problemOfSql } from "./sql_text.ts";
import { problemOfUrl } from "./fill_url.ts";

type ReadConnector =
  | { readonly ok: true; readonly connector: Connector }
  | { readonly ok: false; readonly problems: readonly Sentence[] };

/**
 * Reads a connector from its stored properties. Every problem is reported with the name of the property, never
 * its value.
 */
export function readConnector(template: ConnectorTemplate): ReadConnector {
  const { name } = template;
  const problems: Sentence[] = [];
  const reader: Reader = {
    text: (key) => givenText(template, key) ?? "",
    problem: (key, why) => void problems.push(say`${key}: ${why}`),
  };
  if (!isSegment(name)) {
    reader.problem("name", say`${JSON.stringify(name)} cannot stand in a permission code`);
  }
  const named = <P extends "endpoint." | "query.">(prefix: P) =>
    Object.keys(namedProperties(template, prefix))
      .map((name) => ({ key: `${prefix}${name}` as const, name }));
  const kind = reader.text("kind").toLowerCase() || CONNECTOR_CATALOGUE.kind.default;
  if (kind !== "api" && kind !== "sql") reader.problem("kind", say`neither api nor sql`);
  const connector = kind === "sql"
    ? sqlConnector(reader, { name, queries: named("query.") })
    : apiConnector(reader, { name, endpoints: named("endpoint."), values: getValues(template) });
  return problems.length ? { ok: false, problems } : { ok: true, connector };
}

interface Reader {
  /** Returns a trimmed property; empty when absent. */
  text(key: keyof typeof CONNECTOR_CATALOGUE | Named["key"]): string;
  problem(key: string, why: Sentence): void;
}

interface Named {
  readonly key: `endpoint.${string}` | `query.${string}`;
  readonly name: string;
}

function apiConnector(
  reader: Reader,
  { name, endpoints, values }: {
    name: string;
    endpoints: readonly Named[];
    values: Readonly<Record<string, string>>;
  },
): Connector {
  const base = reader.text("URL").replace(/\/+$/, "");
  const hosts = readList(reader, "hosts");
  const own = parseUrl(base)?.host.toLowerCase();
  return {
    kind: "api",
    name,
    hosts: hosts.length || !own ? hosts : [own],
    timeoutMs: readWhole(reader, "timeoutSeconds") * 1000,
    mostTries: readWhole(reader, "maxAttempts"),
    callsPerSecond: givenWhole(reader, "callsPerSecond"),
    breaker: getBreaker(reader),
    endpoints: endpoints.flatMap((it) => readEndpoint(reader, { ...it, base }) ?? []),
    values,
  };
}

function sqlConnector(
  reader: Reader,
  { name, queries }: { name: string; queries: readonly Named[] },
): Connector {
  const pool = reader.text("pool").toLowerCase();
  if (!/^[a-z0-9][a-z0-9_.-]{0,62}$/.test(pool)) {
    reader.problem("pool", say`expected the alias of a pool`);
  }
  return {
    kind: "sql",
    name,
    pool,
    maxRows: readWhole(reader, "maxRows"),
    timeoutMs: readWhole(reader, "timeoutSeconds") * 1000,
    queries: queries.flatMap((it) => readQuery(reader, it) ?? []),
  };
}

const ENDPOINT_FIELDS = [
  "label",
  "url",
  "method",
  "headers",
  "body",
  "responseField",
  "description",
  "params",
  "mappings",
];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

function readEndpoint(
  reader: Reader,
  { key, name, base }: Named & { base: string },
): Endpoint | undefined {
  const given = objectAt(reader, { key, name }, ENDPOINT_FIELDS);
  if (!given) return undefined;
  const { text, problem } = getFields(reader, key, given);
  const path = text("url");
  const headers = [reader.text("headers"), headerText(given["headers"])].filter(Boolean).join("\n");
  const endpoint: Endpoint = {
    name,
    label: text("label") || name,
    description: text("description"),
    url: path.startsWith("/") ? base + path : path,
    method: (text("method") || "GET").toUpperCase(),
    headers,
    body: typeof given["body"] === "object" && given["body"]
      ? JSON.stringify(given["body"])
      : text("body"),
    responseField: text("responseField"),
    params: text("params"),
    parameters: parseParameters(text("params"), (why) => problem("params", why)),
    mappings: getMappings(given["mappings"], (why) => problem("mappings", why)),
  };
  const wrong = [
    ["url", problemOfUrl(endpoint.url)],
    ["method", METHODS.includes(endpoint.method) ? undefined : say`none of ${METHODS}`],
    ["headers", problemOfHeaders(headers)],
  ] as const;
  for (const [field, why] of wrong) if (why !== undefined) problem(field, why);
  return endpoint;
}

const QUERY_FIELDS = ["label", "description", "sql", "write", "params", "responseField"];

function readQuery(reader: Reader, { key, name }: Named): NamedQuery | undefined {
  const given = objectAt(reader, { key, name }, QUERY_FIELDS);
  if (!given) return undefined;
  const { text, problem } = getFields(reader, key, given);
  const write = given["write"] === true;
  if (given["write"] !== undefined && typeof given["write"] !== "boolean") {
    problem("write", say`expected true or false`);
  }
  const sql = text("sql").replace(/;\s*$/, "");
  const why = problemOfSql(sql, { write });
  if (why !== undefined) problem("sql", why);
  return {
    name,
    label: text("label") || name,
    description: text("description"),
    sql,
    write,
    params: text("params"),
    parameters: parseParameters(text("params"), (why) => problem("params", why)),
    responseField: text("responseField"),
  };
}

function objectAt(reader: Reader, { key, name }: Named, fields: readonly string[]) {
  if (!isSegment(name)) {
    reader.problem(key, say`the name cannot stand in a permission code`);
    return undefined;
  }
  const value = parseJson(reader.text(key));
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    reader.problem(key, say`expected a JSON object`);
    return undefined;
  }
  const unknown = Object.keys(value).find((it) => !fields.includes(it));
  if (unknown !== undefined) {
    reader.problem(
      key,
      say`${JSON.stringify(unknown.slice(0, 60))} is not one of ${fields.join(", ")}`,
    );
  }
  return { ...value } as Record<string, unknown>;
}

function getFields(reader: Reader, key: string, given: Record<string, unknown>) {
  const problem = (field: string, why: Sentence) => reader.problem(key, say`${field}: ${why}`);
  return {
    problem,
    text(field: string): string {
      const value = given[field];
      if (value === undefined || value === null || field === "body" && typeof value === "object") {
        return "";
      }
      if (typeof value === "string") return value.trim();
      problem(field, say`expected text`);
      return "";
    },
  };
}

/** Parses `name|label|default`, several separated by `;` or line breaks. */
function parseParameters(
  text: string,
  problem: (why: Sentence) => void,
): readonly Parameter[] {
  return text.split(/[;\n]/).map((it) => it.trim()).filter(Boolean).map((entry) => {
    const [name = "", label = "", ...rest] = entry.split("|").map((it) => it.trim());
    if (!/^[A-Za-z_][\w.-]{0,60}$/.test(name)) problem(say`${JSON.stringify(name)} is no name`);
    return { name, label: label || name, ...rest.length && { default: rest.join("|") } };
  });
}

function getMappings(
  given: unknown,
  problem: (why: Sentence) => void,
): Readonly<Record<string, string>> {
  if (given === undefined || given === null) return {};
  const entries = typeof given === "object" && !Array.isArray(given) ? Object.entries(given) : [];
  if (!entries.length || entries.some(([, path]) => typeof path !== "string")) {
    problem(say`expected an object of output name and path`);
  }
  return Object.fromEntries(entries.map(([name, path]) => [name, String(path)]));
}

function headerText(given: unknown): string {
  if (typeof given === "string") return given.trim();
  if (typeof given !== "object" || given === null) return "";
  return Object.entries(given).map(([name, value]) => `${name}: ${String(value)}`).join("\n");
}

function readList(reader: Reader, key: "hosts"): readonly string[] {
  const list = reader.text(key).toLowerCase().split(/[\s,;]+/).filter(Boolean);
  const wrong = list.find((it) => !/^((\*\.)?[\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/.test(it));
  if (wrong !== undefined) {
    reader.problem(key, say`${JSON.stringify(wrong.slice(0, 60))} is no host`);
  }
  return list;
}

function getBreaker(reader: Reader): ApiConnector["breaker"] {
  const failures = givenWhole(reader, "breakerFailures");
  const openMs = readWhole(reader, "breakerSeconds") * 1000;
  return failures === undefined ? undefined : { failures, openMs };
}

type DefaultKey = "breakerSeconds" | "maxAttempts" | "maxRows" | "timeoutSeconds";
type WholeKey = DefaultKey | "breakerFailures" | "callsPerSecond";

function readWhole(reader: Reader, key: DefaultKey): number {
  return givenWhole(reader, key) ?? Number(CONNECTOR_CATALOGUE[key].default);
}

/** Returns the number; undefined when it is absent or invalid. An invalid number is reported. */
function givenWhole(reader: Reader, key: WholeKey): number | undefined {
  const given = reader.text(key);
  if (given === "") return undefined;
  const expected = describeExpectation(CONNECTOR_CATALOGUE[key], given);
  if (expected === undefined) return Number(given);
  reader.problem(key, say`expected ${expected}`);
  return undefined;
}

function getValues({ properties }: ConnectorTemplate): Readonly<Record<string, string>> {
  const own = (key: string) =>
    Object.hasOwn(CONNECTOR_CATALOGUE, key) || /^(endpoint|query)\./.test(key);
  return Object.fromEntries(Object.entries(properties).filter(([key]) => !own(key)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
