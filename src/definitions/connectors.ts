import { z } from "zod";
import { say } from "#src/kernel/i18n/sentence.ts";
import { problemOfHeader } from "#src/domain/connector/mod.ts";
import { problemOfJsonPath } from "./json_path.ts";
import {
  Below,
  complain,
  createNameMap,
  Duration,
  EndpointParam,
  Given,
  object,
  Param,
  ParamName,
  refers,
  Secret,
  Size,
  TableName,
  Text,
  Type,
  Version,
  Whole,
} from "./words.ts";

const Column = z.string().min(1).max(128);
const Cache = object({ ttl: Duration, stale: Duration.optional() });
const Ai = z.union([z.boolean(), object({ confirm: z.enum(["always", "ask"]) })]);
const SORT = /^-?[^\s-].{0,127}$/;

/** Names the address of a call has for itself. */
export const RESERVED_PARAMS = ["limit", "offset", "after", "sort", "q", "count"] as const;

const Params = z.record(ParamName, Param).superRefine((params, context) => {
  for (const name of RESERVED_PARAMS.filter((it) => Object.hasOwn(params, it))) {
    const sentence = say`${
      RESERVED_PARAMS.join(", ")
    } are words of the call itself, not parameters`;
    complain(context, { path: [name], sentence });
  }
});

/** Writable part of a table behind a query: rows by their whole key, and only the columns named here. */
const Table = object({
  name: TableName,
  key: distinctColumns(20),
  columns: distinctColumns(500),
  insert: z.boolean().optional(),
  update: z.boolean().optional(),
  delete: z.boolean().optional(),
}).superRefine((table, context) => {
  const { insert, update, delete: remove, key, columns } = table;
  if (!insert && !update && !remove) {
    complain(context, { sentence: say`one of insert, update, delete must be true` });
  }
  if (update && columns.every((it) => key.includes(it))) {
    const sentence = say`an update needs columns other than the key`;
    complain(context, { path: ["columns"], sentence });
  }
});

function distinctColumns(most: number) {
  return z.array(Column).min(1).max(most).superRefine((columns, context) => {
    columns.forEach((it, at) => {
      if (columns.indexOf(it) === at) return;
      complain(context, { path: [at], sentence: say`${it} stands here twice` });
    });
  });
}

export const Query = object({
  label: Text.optional(),
  description: Text.optional(),
  mode: z.enum(["read", "write"]).optional(),
  sql: z.string().min(1).max(100_000),
  params: Params.optional(),
  filter: z.array(Column).max(500).optional(),
  sort: object({
    allow: z.array(Column).max(500).optional(),
    default: z.array(z.string().regex(SORT)).max(20).optional(),
  }).optional(),
  page: object({
    default: Whole.min(1).max(100_000).optional(),
    max: Whole.min(1).max(1_000_000).optional(),
    mode: z.enum(["offset", "keyset"]).optional(),
    key: z.array(Column).min(1).max(10).optional(),
    count: z.enum(["none", "estimated", "exact"]).optional(),
  }).optional(),
  columns: z.record(
    Column,
    object({
      type: Type.optional(),
      dictionary: refers("column").optional(),
      label: Text.optional(),
      hidden: z.boolean().optional(),
    }),
  ).optional(),
  cache: Cache.optional(),
  timeout: Duration.optional(),
  max_rows: Whole.min(1).max(1_000_000).optional(),
  max_cost: z.number().positive().optional(),
  affects: object({ min: Whole.optional(), max: Whole.optional() }).optional(),
  audit: object({ table: TableName, key: z.array(Column).min(1).max(20) }).optional(),
  invalidates: z.array(refers("query")).max(100).optional(),
  row_filter: z.record(z.string().max(63), z.string().max(2_000)).optional(),
  table: Table.optional(),
  ai: Ai.optional(),
});

const SqlConnector = object({
  type: z.literal("sql"),
  label: Text.optional(),
  description: Text.optional(),
  pool: refers("pool"),
  defaults: object({
    timeout: Duration.optional(),
    max_rows: Whole.min(1).max(1_000_000).optional(),
  }).optional(),
  queries: createNameMap("query", Query),
});

const Auth = z.discriminatedUnion("type", [
  object({ type: z.literal("none") }),
  object({ type: z.literal("basic"), user: Given(), password: Secret() }),
  object({ type: z.literal("bearer"), token: Secret() }),
  object({
    type: z.literal("api_key"),
    in: z.enum(["header", "query"]),
    name: z.string().min(1).max(100),
    value: Secret(),
  }).superRefine(({ in: where, name }, context) => {
    const sentence = where === "header" ? problemOfHeader(name, "") : undefined;
    if (sentence) complain(context, { path: ["name"], sentence });
  }),
  object({
    type: z.literal("oauth2_client_credentials"),
    token_url: Given(),
    client_id: Given(),
    client_secret: Secret(),
    scope: z.string().max(1_000).optional(),
  }),
]);

const Headers = z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/), Given())
  .superRefine((headers, context) => {
    for (const [name, value] of Object.entries(headers)) {
      const sentence = problemOfHeader(name, value);
      if (sentence) complain(context, { path: [name], sentence });
    }
  });
const JsonPath = z.string().max(500).superRefine((path, context) => {
  const sentence = problemOfJsonPath(path);
  if (sentence) complain(context, { sentence });
});
const STATUS = /^[1-5](\d\d|xx)$/;
const Status = z.union([z.int().min(100).max(599), z.string().regex(STATUS)]);

export const Endpoint = object({
  label: Text.optional(),
  description: Text.optional(),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).optional(),
  path: Below,
  query: z.record(z.string().max(200), z.union([z.string(), z.number(), z.boolean()])).optional(),
  headers: Headers.optional(),
  body: z.json().optional(),
  idempotency_key: z.string().max(200).optional(),
  params: z.record(ParamName, EndpointParam).optional(),
  response: object({
    success: z.union([Status, z.array(Status).min(1).max(50)]).optional(),
    items: JsonPath.optional(),
    value: JsonPath.optional(),
    map: z.record(ParamName, z.union([JsonPath, object({ path: JsonPath, type: Type })]))
      .optional(),
    error: JsonPath.optional(),
  }).optional(),
  cache: Cache.optional(),
  timeout: Duration.optional(),
  ai: Ai.optional(),
}).superRefine((endpoint, context) => {
  const { params = {}, method = "GET", cache } = endpoint;
  const stray = (value: unknown, more: readonly string[] = []) =>
    placeholdersIn(value).find((it) => !Object.hasOwn(params, it) && !more.includes(it));
  for (const key of ["path", "query", "headers", "body", "idempotency_key"] as const) {
    const name = stray(endpoint[key], key === "idempotency_key" ? STEP_WORDS : []);
    if (name !== undefined) {
      complain(context, { path: [key], sentence: say`{${name}} is not one of its parameters` });
    }
  }
  if (cache && method !== "GET") {
    complain(context, { path: ["cache"], sentence: say`answers of GET alone are kept` });
  }
});

/** Placeholders of a job step, in addition to parameters. */
const STEP_WORDS = ["run_id", "step_id"];

/** Returns the names in `{…}` of all texts a value holds. */
function placeholdersIn(value: unknown): string[] {
  if (typeof value === "string") {
    return [...value.matchAll(/\{([A-Za-z_]\w{0,62})\}/g)].map(([, name]) => name ?? "");
  }
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(placeholdersIn)
    : [];
}

const Retry = object({
  max_attempts: z.int().min(1).max(20).optional(),
  delay: Duration.optional(),
  factor: z.number().min(1).max(10).optional(),
  max_delay: Duration.optional(),
  jitter: z.boolean().optional(),
  on: z.array(z.union([z.literal("network"), z.int().min(400).max(599)])).max(50).optional(),
});

const HttpConnector = object({
  type: z.literal("http"),
  label: Text.optional(),
  description: Text.optional(),
  base_url: Given(),
  auth: Auth.optional(),
  headers: Headers.optional(),
  timeout: Duration.optional(),
  retry: Retry.optional(),
  rate_limit: object({ requests: z.int().min(1).max(100_000), per: Duration }).optional(),
  circuit_breaker: object({
    failures: z.int().min(1).max(1_000).optional(),
    window: Duration.optional(),
    reset: Duration.optional(),
  }).optional(),
  network: object({
    allow_private: z.boolean().optional(),
    max_redirects: z.int().min(0).max(10).optional(),
    max_response: Size.optional(),
  }).optional(),
  endpoints: createNameMap("endpoint", Endpoint),
});

/** Named queries and named calls of external systems. */
export const Connectors = object({
  version: Version,
  connectors: createNameMap(
    "connector",
    z.discriminatedUnion("type", [SqlConnector, HttpConnector]),
  ),
});

export type QueryDefinition = z.infer<typeof Query>;
export type ParamDefinition = z.infer<typeof Param>;
export type SqlConnectorDefinition = z.infer<typeof SqlConnector>;
export type HttpConnectorDefinition = z.infer<typeof HttpConnector>;
export type EndpointDefinition = z.infer<typeof Endpoint>;
