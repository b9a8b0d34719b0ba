import type { Localiser } from "#src/definitions/localiser.ts";
import type { Definitions } from "#src/definitions/sections.ts";

type Connector = Definitions["connectors"]["connectors"][string];
export type Query = Extract<Connector, { type: "sql" }>["queries"][string];
export type Endpoint = Extract<Connector, { type: "http" }>["endpoints"][string];
/** The parameters a query or an endpoint declares, by name. */
export type Params = NonNullable<Endpoint["params"]>;
type Param = Params[string];
export type Json = Readonly<Record<string, unknown>>;

/** What a call of a query takes, as JSON Schema: its parameters, and of a read what may be asked of its pages. */
export function inputOfQuery(query: Query, localiser: Localiser): Json {
  const { properties, ...object } = inputOf(query.params, localiser);
  const page = query.mode === "write" ? {} : pageOf(query);
  return { ...object, properties: { ...properties as object, ...page } };
}

/** What a call of an endpoint takes, as JSON Schema. */
export function inputOfEndpoint({ params }: Endpoint, localiser: Localiser): Json {
  return inputOf(params, localiser);
}

/** Parameters as JSON Schema, without those nobody can give. */
export function inputOf(params: Params | undefined, localiser: Localiser): Json {
  return objectOf(givenParams(params), localiser);
}

/** Without those that are bound from the caller: nobody can give them. */
export function givenParams(params: Params = {}): ReadonlyMap<string, Param> {
  return new Map(Object.entries(params).filter(([, it]) => it.from === undefined));
}

function objectOf(params: ReadonlyMap<string, Param>, localiser: Localiser): Json {
  const needed = [...params].filter(([, it]) => it.required && it.default === undefined)
    .map(([name]) => name);
  const properties = [...params].map(([name, it]) => [
    name,
    { ...schemaOf(it), description: labelOf(name, it, localiser) },
  ]);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...needed.length && { required: needed },
    additionalProperties: false,
  };
}

export function labelOf(name: string, { label, description }: Param, { text }: Localiser): string {
  return text(description) ?? text(label) ?? name;
}

/** JSON Schema of each type of the settings; decimals travel as text, and so do integers beyond 2^53. */
const TYPES: Readonly<Record<string, Json>> = {
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

export function typed(type: string): Json {
  const inner = /^array<(.+)>$/.exec(type)?.[1];
  return inner === undefined ? TYPES[type] ?? {} : { type: "array", items: TYPES[inner] ?? {} };
}

export function schemaOf(
  { type, default: preset, min, max, min_length, max_length, pattern, enum: values }: Param,
): Json {
  return {
    ...typed(type),
    ...preset !== undefined && { default: preset },
    ...typeof min === "number" && { minimum: min },
    ...typeof max === "number" && { maximum: max },
    ...min_length !== undefined && { minLength: min_length },
    ...max_length !== undefined && { maxLength: max_length },
    ...pattern !== undefined && { pattern },
    ...values && { enum: values },
  };
}

type Described = Readonly<Record<string, Json & { description: string }>>;

/** What a call may ask of the pages of a query. */
export function pageOf({ filter = [], page = {}, sort = {} }: Query): Described {
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
