import { addAnswers, ANSWER_SCHEMAS } from "./answers.ts";
import { addExamples } from "./examples.ts";
import { child, type Json } from "./json.ts";
import { describeSchemas } from "./named.ts";
import type { Meaning } from "./meaning.ts";
import { WORDS } from "./words.ts";

const LANGUAGE = {
  name: "X-Service-Lang",
  in: "header",
  description:
    "Language of labels, findings, errors and run logs; without it the caller's own, then `Accept-Language`, then French",
  schema: { type: "string", enum: ["fr", "en"] },
  example: "fr",
};
const ACCEPT_LANGUAGE = {
  name: "Accept-Language",
  in: "header",
  description:
    "Languages the caller reads (RFC 9110, 12.5.4); asked where neither `X-Service-Lang` nor the caller's own says one",
  schema: { type: "string" },
  example: "fr-FR, en;q=0.5",
};
const IDEMPOTENCY = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Kept 7 days: the same key and body get the first answer again, another body is refused",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "0f8fad5b-d9cb-469f-a165-70867728950e",
};
const PREFER = {
  name: "Prefer",
  in: "header",
  description: "`respond-async` answers 202 at once (RFC 7240)",
  schema: { type: "string" },
  example: "respond-async",
};

/**
 * Adds to an OpenAPI document what is true of every operation and field and so is written nowhere twice: meanings and
 * examples of fields, names of the objects inside lists, the headers each call may carry.
 */
export function completeDocument(document: Json): Json {
  const components = child(document, "components");
  const schemas = child(components, "schemas");
  Object.assign(schemas, { ...ANSWER_SCHEMAS, ...schemas });
  for (const [name, schema] of Object.entries(schemas)) {
    nameItems(schema as Json, { owner: name, schemas });
  }
  for (const [name, schema] of Object.entries(schemas)) explain(schema as Json, name);
  components["parameters"] = {
    Language: LANGUAGE,
    AcceptLanguage: ACCEPT_LANGUAGE,
    IdempotencyKey: IDEMPOTENCY,
    Prefer: PREFER,
  };
  for (const { method, path, operation } of operationsOf(document)) {
    const parameters = (operation["parameters"] ?? []) as Json[];
    for (const parameter of parameters) explainParameter(parameter);
    addAnswers({ method, path }, operation);
    operation["parameters"] = [...parameters, ...headersOf(method, operation)];
    for (const schema of schemasOf(operation)) explain(schema, "");
    addExamples(operation, schemas);
  }
  describeSchemas([...operationsOf(document)].map((it) => it.operation), schemas);
  return document;
}

export function* operationsOf(document: Json) {
  for (const [path, methods] of Object.entries(child(document, "paths"))) {
    for (const [method, operation] of Object.entries(methods as Json)) {
      yield { path, method, operation: operation as Json };
    }
  }
}

/** The schemas of an operation's bodies, those of its request and of its answers. */
function schemasOf(operation: Json): Json[] {
  const bodies = [child(operation, "requestBody"), ...Object.values(child(operation, "responses"))];
  return bodies.flatMap((it) => Object.values(child(it as Json, "content")))
    .map((it) => child(it as Json, "schema"));
}

function headersOf(method: string, operation: Json): Json[] {
  const isPublic = operation["x-permission"] === "public";
  const isStreamed = child(operation, "requestBody")["x-streamed"] === true;
  const ref = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ref("Language"),
    ref("AcceptLanguage"),
    ...method === "post" && !isPublic && !isStreamed ? [ref("IdempotencyKey")] : [],
    ..."202" in child(operation, "responses") ? [ref("Prefer")] : [],
  ];
}

/** An object without a name that stands in a list or a field becomes a schema of its own, named after its place. */
function nameItems(schema: Json, { owner, schemas }: { owner: string; schemas: Json }): void {
  for (const [field, value] of Object.entries(child(schema, "properties"))) {
    const property = value as Json;
    const isList = property["type"] === "array";
    const inner = (isList ? property["items"] : property) as Json | undefined;
    if (!inner) continue;
    const name = owner + capital(isList ? singular(field) : field);
    nameItems(inner, { owner: name, schemas });
    if (inner["type"] !== "object" || !inner["properties"]) continue;
    const reference = { $ref: `#/components/schemas/${nameFor(inner, { name, schemas })}` };
    if (isList) property["items"] = reference;
    else (child(schema, "properties"))[field] = reference;
  }
}

/** The name of a schema that says the same, or this one. */
function nameFor(inner: Json, { name, schemas }: { name: string; schemas: Json }): string {
  const text = JSON.stringify(inner);
  const known = Object.keys(schemas).find((it) => JSON.stringify(schemas[it]) === text);
  if (known) return known;
  schemas[name] = inner;
  return name;
}

function explain(schema: Json, owner: string): void {
  withoutFlags(schema);
  for (const [field, value] of Object.entries(child(schema, "properties"))) {
    const property = value as Json;
    withoutFlags(property);
    if (property["$ref"] === undefined) tell(property, WORDS[`${owner}.${field}`] ?? WORDS[field]);
    explain(property, owner);
  }
  for (const inner of [schema["items"], schema["additionalProperties"]]) {
    if (typeof inner === "object" && inner !== null) explain(inner as Json, owner);
  }
  for (const inner of [schema["allOf"], schema["anyOf"], schema["oneOf"]].flat()) {
    if (inner) explain(inner as Json, owner);
  }
}

function explainParameter(parameter: Json): void {
  const meaning = WORDS[String(parameter["name"])];
  const schema = child(parameter, "schema");
  withoutFlags(schema);
  const described = parameter["description"] ?? schema["description"];
  if (described ?? meaning) parameter["description"] = described ?? meaning?.[0];
  if (schema["default"] === undefined) tell(schema, meaning);
  delete schema["description"];
}

/** A pattern of OpenAPI has no flags (JSON Schema 2020-12, 6.3.3); every reader takes it as Unicode. */
function withoutFlags(schema: Json): void {
  const { pattern } = schema;
  if (typeof pattern === "string") schema["pattern"] = pattern.replace(/(?<=\$)\/[a-z]+$/, "");
}

/** What a schema says of itself comes first; an example that its own rules refuse is none. */
function tell(schema: Json, meaning: Meaning | undefined): void {
  if (!meaning) return;
  const [description, example] = meaning;
  schema["description"] ??= description;
  if (schema["example"] !== undefined || schema["examples"] !== undefined) return;
  const choices = schema["enum"] as readonly unknown[] | undefined;
  const shown = choices && !choices.includes(example) ? choices[0] : example;
  if (shown !== undefined && fits(schema, shown)) schema["example"] = shown;
}

function fits(schema: Json, example: unknown): boolean {
  const types = [schema["type"]].flat();
  if (types[0] === undefined) return false;
  if (example === null) return types.includes("null");
  if (Array.isArray(example)) return types.includes("array");
  const kind = typeof example;
  if (kind === "string") return types.includes("string") && suits(schema, example as string);
  if (kind === "number") return types.includes("number") || types.includes("integer");
  return types.includes(kind);
}

function suits({ pattern, format, minLength, maxLength }: Json, example: string): boolean {
  if (format === "uuid" && !/^[\da-f-]{36}$/.test(example)) return false;
  if (format === "date" && !/^\d{4}-\d\d-\d\d$/.test(example)) return false;
  if (format === "date-time" && !/T/.test(example)) return false;
  if (typeof minLength === "number" && example.length < minLength) return false;
  if (typeof maxLength === "number" && example.length > maxLength) return false;
  return typeof pattern !== "string" || new RegExp(pattern, "u").test(example);
}

function capital(word: string): string {
  const parts = word.split("_").map((it) => it.slice(0, 1).toUpperCase() + it.slice(1));
  return parts.join("");
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}
