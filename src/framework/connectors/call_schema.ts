import type { Localiser } from "#src/definitions/localiser.ts";
import type { Definitions } from "#src/definitions/sections.ts";

type Connector = Definitions["connectors"]["connectors"][string];
export type Query = Extract<Connector, { type: "sql" }>["queries"][string];
export type EndpointSettings = Extract<Connector, { type: "http" }>["endpoints"][string];
/** The parameters a query or an endpoint declares, by name. */
export type CallParams = NonNullable<EndpointSettings["params"]>;
type Param = CallParams[string];
export type JsonSchemaNode = Readonly<Record<string, unknown>>;

/** Returns the input of a query as JSON Schema: its parameters, and for a reading query the paging options. */
export function inputOfQuery(query: Query, localiser: Localiser): JsonSchemaNode {
  const { properties, ...object } = buildInputSchema(query.params, localiser);
  const page = query.mode === "write" ? {} : describePaging(query);
  return { ...object, properties: { ...properties as object, ...page } };
}

/** Returns the input of an endpoint as JSON Schema. */
export function inputOfEndpoint(
  { params }: EndpointSettings,
  localiser: Localiser,
): JsonSchemaNode {
  return buildInputSchema(params, localiser);
}

/** Returns parameters as JSON Schema, without those a caller cannot pass. */
export function buildInputSchema(
  params: CallParams | undefined,
  localiser: Localiser,
): JsonSchemaNode {
  return getObject(givenParams(params), localiser);
}

/** Returns the parameters a caller can pass, without those bound from the caller's account. */
export function givenParams(params: CallParams = {}): ReadonlyMap<string, Param> {
  return new Map(Object.entries(params).filter(([, it]) => it.from === undefined));
}

function getObject(params: ReadonlyMap<string, Param>, localiser: Localiser): JsonSchemaNode {
  const needed = [...params].filter(([, it]) => it.required && it.default === undefined)
    .map(([name]) => name);
  const properties = [...params].map(([name, it]) => [
    name,
    { ...buildParamSchema(it), description: describeParam(name, it, localiser) },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...needed.length && { required: needed },
    additionalProperties: false,
  };
}

export function describeParam(
  name: string,
  { label, description }: Param,
  { text }: Localiser,
): string {
  return text(description) ?? text(label) ?? name;
}

/** JSON Schema of each type of the settings; decimals travel as text, and so do integers beyond 2^53. */
const TYPES: Readonly<Record<string, JsonSchemaNode>> = {
  string: { type: "string" },
  integer: { type: ["integer", "string"], pattern: "^-?\\d+$" },
  number: { type: "number" },
  decimal: { type: "string", pattern: "^-?\\d+(\\.\\d+)?$" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  time: { type: "string", format: "time" },
  datetime: { type: "string", format: "date-time" },
  uuid: { type: "string", format: "uuid" },
  json: {},
  binary: { type: "string", contentEncoding: "base64" },
};

export function toTypeSchema(type: string): JsonSchemaNode {
  const inner = /^array<(.+)>$/.exec(type)?.[1];
  return inner === undefined ? TYPES[type] ?? {} : { type: "array", items: TYPES[inner] ?? {} };
}

export function buildParamSchema(
  { type, default: preset, min, max, min_length, max_length, pattern, enum: values }: Param,
): JsonSchemaNode {
  return {
    ...toTypeSchema(type),
    ...preset !== undefined && { default: preset },
    ...typeof min === "number" && { minimum: min },
    ...typeof max === "number" && { maximum: max },
    ...min_length !== undefined && { minLength: min_length },
    ...max_length !== undefined && { maxLength: max_length },
    ...pattern !== undefined && { pattern },
    ...values && { enum: values },
  };
}

type Described = Readonly<Record<string, JsonSchemaNode & { description: string }>>;

/** Returns the paging options of a query. */
export function describePaging({ filter = [], page = {}, sort = {} }: Query): Described {
  const [columns, most] = [sort.allow ?? [], page.max];
  return {
    limit: {
      type: "integer",
      minimum: 0,
      description: most === undefined
        ? "Rows at most"
        : `Rows at most; ${most} are answered at most`,
    },
    ...page.mode === "keyset"
      ? { after: { type: "string", description: "`next` of the page before" } }
      : { offset: { type: "integer", minimum: 0, description: "Rows passed over" } },
    ...columns.length && {
      sort: { type: "string", description: `Of ${columns.join(", ")}; \`-\` for descending` },
    },
    ...filter.length && {
      q: { type: "string", description: `A filter as JSON, by ${filter.join(", ")}` },
    },
    count: {
      type: "string",
      enum: ["none", "estimated", "exact"],
      description: "Whether rows are counted",
    },
  };
}
