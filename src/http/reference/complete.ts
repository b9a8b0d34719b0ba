import { addAnswers, ANSWER_SCHEMAS } from "./answers.ts";
import { addExamples } from "./examples.ts";
import { listGroups } from "./groups.ts";
import { child, type JsonObjectNode } from "./json.ts";

const LANGUAGE = {
  name: "X-Service-Lang",
  in: "header",
  description:
    "Language of labels, findings, errors and logs. Default: the language of the user, then `Accept-Language`, then `en` for framework and database, or the language of the installation (`SERVICE_LANG`) for invoicing. An unknown language is ignored",
  schema: { type: "string", enum: ["fr", "en"] },
  example: "fr",
};
const ACCEPT_LANGUAGE = {
  name: "Accept-Language",
  in: "header",
  description:
    "Languages of the caller (RFC 9110, 12.5.4), used without `X-Service-Lang` and without a language of the user",
  schema: { type: "string" },
  example: "fr-FR, en;q=0.5",
};
const IDEMPOTENCY = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Key of the call, stored for 7 days when the call writes. A repeated call with the same key and body returns the first answer; another body is refused. For an answer above 64 kB only the status is stored. A call that only reads is executed again.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
  example: "0f8fad5b-d9cb-469f-a165-70867728950e",
};
const PREFER = {
  name: "Prefer",
  in: "header",
  description: "`respond-async` returns 202 at once (RFC 7240)",
  schema: { type: "string" },
  example: "respond-async",
};

/**
 * Adds the parts that all operations share to an OpenAPI document. They are names of objects in lists, examples
 * of bodies, errors and headers.
 */
export function completeDocument(document: JsonObjectNode): JsonObjectNode {
  const components = child(document, "components");
  const schemas = child(components, "schemas");
  Object.assign(schemas, { ...ANSWER_SCHEMAS, ...schemas });
  for (const [name, schema] of Object.entries(schemas)) {
    nameItems(schema as JsonObjectNode, { owner: name, schemas });
  }
  for (const schema of Object.values(schemas)) completeSchema(schema as JsonObjectNode);
  components["parameters"] = {
    Language: LANGUAGE,
    AcceptLanguage: ACCEPT_LANGUAGE,
    IdempotencyKey: IDEMPOTENCY,
    Prefer: PREFER,
  };
  for (const { method, path, operation } of listOperations(document)) {
    const parameters = (operation["parameters"] ?? []) as JsonObjectNode[];
    for (const parameter of parameters) completeParameter(parameter);
    addAnswers({ method, path }, operation);
    operation["parameters"] = [...parameters, ...getHeaders(method, operation)];
    for (const schema of getSchemas(operation)) completeSchema(schema);
    addExamples(operation, schemas);
  }
  const operations = [...listOperations(document)].map((it) => it.operation);
  document["tags"] = listGroups(operations.flatMap((it) => it["tags"] as string[]));
  return document;
}

export function* listOperations(document: JsonObjectNode) {
  for (const [path, methods] of Object.entries(child(document, "paths"))) {
    for (const [method, operation] of Object.entries(methods as JsonObjectNode)) {
      yield { path, method, operation: operation as JsonObjectNode };
    }
  }
}

/** Returns the schemas of an operation's request and answer bodies. */
function getSchemas(operation: JsonObjectNode): JsonObjectNode[] {
  const bodies = [child(operation, "requestBody"), ...Object.values(child(operation, "responses"))];
  return bodies.flatMap((it) => Object.values(child(it as JsonObjectNode, "content")))
    .map((it) => child(it as JsonObjectNode, "schema"));
}

function getHeaders(method: string, operation: JsonObjectNode): JsonObjectNode[] {
  const isPublic = operation["x-permission"] === "public";
  const ref = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  return [
    ref("Language"),
    ref("AcceptLanguage"),
    ...method === "post" && !isPublic ? [ref("IdempotencyKey")] : [],
    ..."202" in child(operation, "responses") ? [ref("Prefer")] : [],
  ];
}

/** Turns an unnamed object in a list or field into a named schema, named after its position. */
function nameItems(
  schema: JsonObjectNode,
  { owner, schemas }: { owner: string; schemas: JsonObjectNode },
): void {
  for (const [field, value] of Object.entries(child(schema, "properties"))) {
    const property = value as JsonObjectNode;
    const isList = property["type"] === "array";
    const inner = (isList ? property["items"] : property) as JsonObjectNode | undefined;
    if (!inner) continue;
    const name = owner + capital(isList ? singular(field) : field);
    nameItems(inner, { owner: name, schemas });
    if (inner["type"] !== "object" || !inner["properties"]) continue;
    const reference = { $ref: `#/components/schemas/${nameFor(inner, { name, schemas })}` };
    if (isList) property["items"] = reference;
    else (child(schema, "properties"))[field] = reference;
  }
}

/** Returns the name of a schema with the same description and fields, or this name. */
function nameFor(
  inner: JsonObjectNode,
  { name, schemas }: { name: string; schemas: JsonObjectNode },
): string {
  const text = formatText(inner);
  const known = Object.keys(schemas).find((it) =>
    formatText(schemas[it] as JsonObjectNode) === text
  );
  if (known) return known;
  schemas[name] = inner;
  return name;
}

/** Returns a schema as text, without the descriptions and examples of its fields. */
function formatText({ description, ...schema }: JsonObjectNode): string {
  const fields = JSON.stringify(schema, (key, it) => {
    const isProse = key === "description" && typeof it === "string" ||
      key === "example" && !(typeof it === "object" && it !== null && "type" in it);
    return isProse ? undefined : it;
  });
  return `${description} ${fields}`;
}

/** Makes the patterns of a schema readable for OpenAPI tools, and its descriptions visible, with those of its fields. */
function completeSchema(schema: JsonObjectNode): void {
  portPattern(schema);
  liftDescription(schema);
  const inner = [
    Object.values(child(schema, "properties")),
    ...["items", "additionalProperties", "allOf", "anyOf", "oneOf"].map((it) => schema[it]),
  ].flat();
  for (const it of inner) {
    if (typeof it === "object" && it !== null) completeSchema(it as JsonObjectNode);
  }
}

/** Moves the description of an optional named schema from its part of `combineReaders` to the field. */
function liftDescription(schema: JsonObjectNode): void {
  for (const part of [schema["allOf"] ?? []].flat() as unknown as JsonObjectNode[]) {
    if (part["$ref"] !== undefined || part["properties"] !== undefined) continue;
    schema["description"] ??= part["description"];
    delete part["description"];
  }
}

/** Moves the description of a parameter's schema to the parameter. */
function completeParameter(parameter: JsonObjectNode): void {
  const schema = child(parameter, "schema");
  portPattern(schema);
  if (parameter["in"] === "path") {
    parameter["required"] = true; // OpenAPI 3.1, Parameter Object
    delete schema["default"];
  }
  const description = parameter["description"] ?? schema["description"];
  if (description !== undefined) parameter["description"] = description;
  delete schema["description"];
}

/**
 * Removes flags that OpenAPI patterns do not support (JSON Schema 2020-12, 6.3.3). Removes patterns with Unicode
 * classes, because readers without the flag `u` would refuse valid names.
 */
function portPattern(schema: JsonObjectNode): void {
  const { pattern } = schema;
  if (typeof pattern !== "string") return;
  if (/\\p\{/.test(pattern)) delete schema["pattern"];
  else schema["pattern"] = pattern.replace(/(?<=\$)\/[a-z]+$/, "");
}

function capital(word: string): string {
  const parts = word.split("_").map((it) => it.slice(0, 1).toUpperCase() + it.slice(1));
  return parts.join("");
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}
