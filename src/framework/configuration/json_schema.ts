import { z } from "zod";
import { getSchema, type SectionName } from "#src/definitions/sections.ts";

/** Returns the JSON Schema of a section for editors that complete and check; keys that begin with `x-` are allowed. */
export function buildJsonSchema(name: SectionName): Record<string, unknown> {
  const schema = z.toJSONSchema(getSchema(name), { io: "input", unrepresentable: "any" });
  return withOwnKeys(schema) as Record<string, unknown>;
}

function withOwnKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withOwnKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, it]) => [key, withOwnKeys(it)]);
  const own = Object.fromEntries(entries);
  return own["additionalProperties"] === false ? { ...own, patternProperties: { "^x-": {} } } : own;
}
