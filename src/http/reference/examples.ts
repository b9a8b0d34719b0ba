import { child, type Json } from "./json.ts";

/** Lists inside lists are shown so deep; what is recursive ends somewhere. */
const DEPTH = 6;

/**
 * A value of a schema, made of the examples of its fields: the first of a list of choices, one item of a list. Undefined
 * where nothing that fits is known, and the caller leaves it out.
 */
export function exampleOf(schema: Json, schemas: Json, depth = 0): unknown {
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
    return depth > DEPTH ? undefined : exampleOf(child(schemas, name), schemas, depth + 1);
  }
  if (Array.isArray(schema["allOf"])) return merged(schema, schemas, depth);
  const alternatives = [schema["anyOf"] ?? schema["oneOf"] ?? []]
    .flat() as unknown as readonly Json[];
  for (const it of alternatives) {
    const found = exampleOf(it, schemas, depth);
    if (found !== undefined) return found;
  }
  return ofType(schema, schemas, depth);
}

function merged(schema: Json, schemas: Json, depth: number): unknown {
  const parts = (schema["allOf"] as readonly Json[]).map((it) => exampleOf(it, schemas, depth));
  const own = schema["properties"] === undefined ? {} : ofType(schema, schemas, depth);
  if (![...parts, own].every((it) => typeof it === "object" && it !== null)) return parts[0];
  return Object.assign({}, ...parts, own);
}

function ofType(schema: Json, schemas: Json, depth: number): unknown {
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

function ofObject(schema: Json, schemas: Json, depth: number): unknown {
  if (depth > DEPTH) return undefined;
  const required = [schema["required"] ?? []].flat();
  const fields: [string, unknown][] = [];
  for (const [name, it] of Object.entries(child(schema, "properties"))) {
    const value = exampleOf(it as Json, schemas, depth + 1);
    if (value !== undefined) fields.push([name, value]);
    else if (required.includes(name)) return undefined;
  }
  return Object.fromEntries(fields);
}

function ofList(schema: Json, schemas: Json, depth: number): unknown {
  const least = Number(schema["minItems"] ?? 0);
  const item = depth > DEPTH ? undefined : exampleOf(child(schema, "items"), schemas, depth + 1);
  if (item !== undefined && least <= 1) return [item];
  return least === 0 ? [] : undefined;
}

function ofNumber({ minimum, exclusiveMinimum }: Json): number {
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

function ofText({ format, pattern, minLength, maxLength }: Json): string | undefined {
  const known = FORMATS[String(format)];
  if (known !== undefined) return known;
  if (pattern !== undefined || format !== undefined) return undefined;
  const text = "text".padEnd(Number(minLength ?? 0), "x");
  return text.slice(0, Number(maxLength ?? text.length));
}

/** Shows each operation by what is sent and what comes back where it succeeds, where its route shows nothing of its own. */
export function addExamples(operation: Json, schemas: Json): void {
  const succeeded = Object.entries(child(operation, "responses")).filter(([it]) => /^2/.test(it));
  const bodies = [child(operation, "requestBody"), ...succeeded.map(([, it]) => it as Json)];
  for (const [type, it] of bodies.flatMap((it) => Object.entries(child(it, "content")))) {
    const media = it as Json;
    if (media["example"] !== undefined || media["examples"] !== undefined) continue;
    const schema = child(media, "schema");
    const shown = /json/.test(type) ? exampleOf(schema, schemas) : textOf(type);
    if (shown !== undefined) media["example"] = shown;
  }
}

function textOf(type: string): string | undefined {
  return TEXTS[type] ?? (type.startsWith("text/") ? "…" : undefined);
}

/** The beginning of what is no JSON. */
const TEXTS: Readonly<Record<string, string>> = {
  "text/html": "<!doctype html>…",
  "text/yaml": "menus: []\n",
  "text/csv": "doc,dct,kco\n100000,RI,00001\n",
  "text/event-stream": "id: 731-42\nevent: invoice.status\ndata: {}\n\n",
  "text/xml": '<?xml version="1.0" encoding="UTF-8"?>…',
  "application/xml": '<?xml version="1.0" encoding="UTF-8"?>…',
  "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg"/>',
};
