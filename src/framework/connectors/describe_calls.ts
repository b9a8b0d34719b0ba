import { getCode } from "#src/definitions/codes.ts";
import { createLocaliser, type Localiser } from "#src/definitions/localiser.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import {
  buildParamSchema,
  describePaging,
  describeParam,
  type EndpointSettings,
  givenParams,
  inputOfEndpoint,
  inputOfQuery,
  type JsonSchemaNode,
  type Query,
  toTypeSchema,
} from "./call_schema.ts";

/**
 * Describes the named queries and endpoints a reader may call, as operations of an OpenAPI document by path. Contains
 * their own parameters and the types of their columns. Headers and failures of the general call
 * (`/api/sql/{connector}/{query}`) are not repeated.
 */
export function describeCalls(
  snapshot: Snapshot,
  { languages, may }: SettingsReader,
): JsonSchemaNode {
  const localiser = createLocaliser(snapshot, languages);
  const { connectors = {} }: Partial<Definitions["connectors"]> = snapshot.section("connectors") ??
    {};
  const paths = Object.entries(connectors).flatMap(([connector, it]) =>
    it.type === "sql"
      ? Object.entries(it.queries).flatMap(([name, query]) =>
        ofQuery({ connector, name, query }, { localiser, may })
      )
      : Object.entries(it.endpoints).flatMap(([name, endpoint]) =>
        ofEndpoint({ connector, name, endpoint }, { localiser, may })
      )
  );
  return Object.fromEntries(paths);
}

interface Viewer {
  readonly localiser: Localiser;
  may(code: string): boolean;
}
type Path = [path: string, methods: JsonSchemaNode];

function ofQuery(
  { connector, name, query }: { connector: string; name: string; query: Query },
  { localiser, may }: Viewer,
): Path[] {
  const isWrite = query.mode === "write";
  const code = getCode({ kind: "query", name: `${connector}:${name}`, value: query });
  if (code === undefined || !may(code)) return [];
  const path = `/api/sql/${connector}/${name}${isWrite ? ":write" : ""}`;
  const params = givenParams(query.params);
  const operation = {
    tags: [connector],
    summary: localiser.text(query.label) ?? `${connector}.${name}`,
    description: addPermission(localiser.text(query.description), code),
    "x-permission": code,
    security: [{ bearer: [] }],
    responses: {
      200: answer("The rows", isWrite ? WRITTEN : getRows(query, localiser)),
    },
  };
  const page = isWrite ? {} : describePaging(query);
  const body = jsonBody(inputOfQuery(query, localiser));
  const post = { ...operation, operationId: getId("sql", connector, name), requestBody: body };
  if (isWrite) return [[path, { post: { ...post, parameters: [DRY_RUN] } }]];
  const parameters = [
    ...[...params].map(([name, param]) => ({
      name,
      in: "query",
      required: param.required === true && param.default === undefined,
      description: describeParam(name, param, localiser),
      schema: buildParamSchema(param),
    })),
    ...Object.entries(page).map(([name, { description, ...schema }]) => ({
      name,
      in: "query",
      required: false,
      description,
      schema,
    })),
  ];
  const get = { ...operation, operationId: getId("sql", connector, name, "get"), parameters };
  return [[path, { get, post }]];
}

const WRITTEN = { $ref: "#/components/schemas/QueryWritten" };
const DRY_RUN = {
  name: "dry_run",
  in: "query",
  required: false,
  description: "`true` does everything and takes it back",
  schema: { type: "string", enum: ["true", "false"] },
};

function ofEndpoint(
  { connector, name, endpoint }: { connector: string; name: string; endpoint: EndpointSettings },
  { localiser, may }: Viewer,
): Path[] {
  const code = `api:${connector}:${name}`;
  if (!may(code)) return [];
  const operation = {
    operationId: getId("http", connector, name),
    tags: [connector],
    summary: localiser.text(endpoint.label) ?? `${connector}.${name}`,
    description: addPermission(localiser.text(endpoint.description), code),
    "x-permission": code,
    security: [{ bearer: [] }],
    requestBody: jsonBody(inputOfEndpoint(endpoint, localiser)),
    responses: { 200: answer("What the peer answered", { type: "object" }) },
  };
  return [[`/api/http/${connector}/${name}`, { post: operation }]];
}

function getRows({ columns = {} }: Query, { text }: Localiser): JsonSchemaNode {
  const shown = Object.entries(columns).filter(([, it]) => !it.hidden)
    .map(([name, { type, label }]) => [
      name,
      { ...type !== undefined && toTypeSchema(type), description: text(label) ?? name },
    ]);
  return {
    type: "object",
    properties: {
      items: { type: "array", items: { type: "object", properties: Object.fromEntries(shown) } },
      metadata: {
        type: "array",
        items: {
          type: "object",
          properties: { name: { type: "string" }, type: { type: "string" } },
        },
      },
      hasMore: { type: "boolean" },
      limit: { type: "integer" },
      offset: { type: "integer" },
      next: { type: "string" },
      count: { type: "integer" },
    },
  };
}

function addPermission(text: string | undefined, code: string): string {
  return [text, `Permission: \`${code}\``].filter(Boolean).join("\n\n");
}

function jsonBody(schema: JsonSchemaNode): JsonSchemaNode {
  return { required: true, content: { "application/json": { schema } } };
}

function answer(description: string, schema: JsonSchemaNode): JsonSchemaNode {
  return { description, content: { "application/json": { schema } } };
}

/** Names hold no colon, so no two are alike. */
function getId(...parts: readonly string[]): string {
  return parts.join(":");
}
