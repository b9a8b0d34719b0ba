import { problemOfShape } from "#src/kernel/json_shape.ts";
import { LONGEST_ID } from "#src/ports/pa.ts";

/** A page of a hundred flows has some thousand values; more would hold the event loop up. */
const MOST = { depth: 100, values: 200_000 };

/** Reads what strangers send: each reader gives the value or undefined, and never throws. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Undefined for what is no JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  if (problemOfShape(bytes, MOST)) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Undefined for anything but a JSON object. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonObject
    : undefined;
}

/** Texts, and numbers where a text was meant; empty counts as missing. What no database keeps is left out: NUL, half a character. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  return value.replaceAll("\0", "").toWellFormed() || undefined;
}

/** What something is asked for by and kept under: undefined for what cannot be, instead of another one. */
export function idOf(value: unknown): string | undefined {
  const id = textOf(value);
  const isOne = id !== undefined && id === String(value) && id.length <= LONGEST_ID &&
    !/^\.{1,2}$/.test(id); // in an address, a way to somewhere else
  return isOne ? id : undefined;
}

/** Empty for anything but a JSON array. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
