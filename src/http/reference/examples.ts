import { child, type JsonObjectNode } from "./json.ts";

/** Depth at which examples of recursive schemas end. */
const DEPTH = 6;

/**
 * Builds a value of a schema from the examples of its fields: the first choice, one item per list. Returns undefined if
 * no valid example is known; the caller then omits the field.
 */
function buildExample(schema: JsonObjectNode, schemas: JsonObjectNode, depth = 0): unknown {
  if (schema["example"] !== undefined) return schema["example"];
  if (schema["const"] !== undefined) return schema["const"];
  const [given] = [schema["examples"]].flat();
  if (given !== undefined) return given;
  const [choice] = [schema["enum"]].flat();
  if (choice !== undefined) return choice;
  if (schema["default"] !== undefined) return schema["default"];
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    return depth > DEPTH ? undefined : buildExample(child(schemas, name), schemas, depth + 1);
  }
  if (Array.isArray(schema["allOf"])) return mergeExamples(schema, schemas, depth);
  const alternatives = [schema["anyOf"] ?? schema["oneOf"] ?? []]
    .flat() as unknown as readonly JsonObjectNode[];
  for (const it of alternatives) {
    const found = buildExample(it, schemas, depth);
    if (found !== undefined) return found;
  }
  return ofType(schema, schemas, depth);
}

function mergeExamples(schema: JsonObjectNode, schemas: JsonObjectNode, depth: number): unknown {
  const parts = (schema["allOf"] as readonly JsonObjectNode[]).map((it) =>
    buildExample(it, schemas, depth)
  );
  const own = schema["properties"] === undefined ? {} : ofType(schema, schemas, depth);
  if (![...parts, own].every((it) => typeof it === "object" && it !== null)) return parts[0];
  return Object.assign({}, ...parts, own);
}

function ofType(schema: JsonObjectNode, schemas: JsonObjectNode, depth: number): unknown {
  const types = [schema["type"]].flat();
  if (types.includes("object") || schema["properties"] !== undefined) {
    return ofObject(schema, schemas, depth);
  }
  if (types.includes("array")) return ofList(schema, schemas, depth);
  if (types.includes("boolean")) return true;
  if (types.includes("integer") || types.includes("number")) return ofNumber(schema);
  if (types.includes("null")) return null;
  return types.includes("string") ? ofText(schema) : undefined;
}

function ofObject(schema: JsonObjectNode, schemas: JsonObjectNode, depth: number): unknown {
  if (depth > DEPTH) return undefined;
  const required = [schema["required"] ?? []].flat();
  const fields: [string, unknown][] = [];
  for (const [name, it] of Object.entries(child(schema, "properties"))) {
    if (name === "error" && !required.includes(name)) continue; // absent from a success
    const value = buildExample(it as JsonObjectNode, schemas, depth + 1);
    if (value !== undefined) fields.push([name, value]);
    else if (required.includes(name)) return undefined;
  }
  return Object.fromEntries(fields);
}

function ofList(schema: JsonObjectNode, schemas: JsonObjectNode, depth: number): unknown {
  const least = Number(schema["minItems"] ?? 0);
  const item = depth > DEPTH ? undefined : buildExample(child(schema, "items"), schemas, depth + 1);
  if (item !== undefined && least <= 1) return [item];
  return least === 0 ? [] : undefined;
}

function ofNumber({ minimum, exclusiveMinimum }: JsonObjectNode): number {
  if (typeof exclusiveMinimum === "number") return exclusiveMinimum + 1;
  return typeof minimum === "number" ? Math.max(minimum, 1) : 1;
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "0f8fad5b-d9cb-469f-a165-70867728950e",
  date: "2026-11-22",
  "date-time": "2026-11-22T09:30:00.000Z",
  uri: "https://passerelle.example",
  email: "marie.durand@helios.example",
};

/** Only formats have a common example; other texts need one of their own. */
function ofText({ format }: JsonObjectNode): string | undefined {
  return FORMATS[String(format)];
}

/** Adds examples of the request and of the successful answer, unless the route has its own. */
export function addExamples(operation: JsonObjectNode, schemas: JsonObjectNode): void {
  const succeeded = Object.entries(child(operation, "responses")).filter(([it]) => /^2/.test(it));
  const bodies = [
    child(operation, "requestBody"),
    ...succeeded.map(([, it]) => it as JsonObjectNode),
  ];
  for (const [type, it] of bodies.flatMap((it) => Object.entries(child(it, "content")))) {
    const media = it as JsonObjectNode;
    if (media["example"] !== undefined || media["examples"] !== undefined) continue;
    const schema = child(media, "schema");
    const shown = /[/+]json/.test(type) ? buildExample(schema, schemas) : TEXTS[type];
    if (shown !== undefined) media["example"] = shown;
  }
}

/** First characters of bodies that are not JSON. */
const TEXTS: Readonly<Record<string, string>> = {
  "text/html": "<!doctype html><title>Passerelle</title>",
  "text/yaml": "menus: []\n",
  "application/x-ndjson": '{"format":"passerelle-backup-1"}\n',
  "text/csv": "doc,dct,kco\n100000,RI,00001\n",
  "text/event-stream": "id: 731-42\nevent: invoice.status\ndata: {}\n\n",
  "text/xml": '<?xml version="1.0" encoding="UTF-8"?><Invoice/>',
  "application/xml": '<?xml version="1.0" encoding="UTF-8"?><Invoice/>',
  "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
