import { problemOfShape } from "#src/kernel/json_shape.ts";
import { MAX_ID_LENGTH } from "#src/ports/pa.ts";

/** A page of a hundred flows has some thousand values; more would hold the event loop up. */
const MAX = { depth: 100, values: 200_000 };

/** JSON of untrusted peers: each reader returns the value or undefined, and never throws. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses JSON; undefined for anything else. */
export function parseJson(bytes: Uint8Array): unknown {
  if (problemOfShape(bytes, MAX)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Undefined for anything but a JSON object. */
export function parseObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonObject
    : undefined;
}

/**
 * Reads a text, or a number where a text is expected; an empty one counts as missing. Characters that databases
 * reject are removed: NUL and half a character.
 */
export function parseText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  return value.replaceAll("\0", "").toWellFormed() || undefined;
}

/** Returns a valid id for requests and for storage; undefined for an invalid one, which is never altered. */
export function parseId(value: unknown): string | undefined {
  const id = parseText(value);
  const isOne = id !== undefined && id === String(value) && id.length <= MAX_ID_LENGTH &&
    !/^\.{1,2}$/.test(id); // in an address, a way to somewhere else
  return isOne ? id : undefined;
}

/** Empty for anything but a JSON array. */
export function parseList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
