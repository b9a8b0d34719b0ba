import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Parameter } from "./connector.ts";

/** `{param}` of the caller, `{$property}` of the connector. */
export const PLACEHOLDER = /\{(\$?[A-Za-z_][\w.-]{0,60})\}/g;

const MAX_VALUE = 100_000;

/** Returns the value of a placeholder for one call; throws AppError `invalid` for an unknown placeholder. */
export type ValueLookup = (name: string) => unknown;

/**
 * Builds the values of one call. A parameter missing from both `names` and `parameters` is rejected, as is a
 * missing value without a default.
 */
export function lookupFor(
  given: Readonly<Record<string, unknown>>,
  { names, parameters, values = {} }: {
    names: Iterable<string>;
    parameters: readonly Parameter[];
    values?: Readonly<Record<string, string>>;
  },
): ValueLookup {
  const known = new Set([...names, ...parameters.map((it) => it.name)]);
  const defaults = new Map(parameters.map((it) => [it.name, it.default]));
  for (const [name, value] of Object.entries(given)) {
    if (!known.has(name)) {
      const there = [...known].sort().join(", ") || "none";
      throw new AppError(
        "invalid",
        say`There is no parameter ${JSON.stringify(name.slice(0, 60))}; there are: ${there}`,
      );
    }
    checkValue(name, value);
  }
  return (name) => {
    if (name.startsWith("$")) return ownValue(values, name.slice(1));
    const value = Object.hasOwn(given, name) ? given[name] : defaults.get(name);
    if (value === undefined) throw new AppError("invalid", say`The parameter ${name} is missing`);
    return value;
  };
}

/** Returns the names of the caller's parameters in a text. */
export function namesIn(...texts: readonly string[]): Set<string> {
  return new Set(
    texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ""))
      .filter((name) => !name.startsWith("$")),
  );
}

/** Formats a value for a URL, a header or a text. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function ownValue(values: Readonly<Record<string, string>>, name: string): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) {
    throw new AppError("refused", say`The connector has no property ${name}, which it refers to`);
  }
  return value;
}

function checkValue(name: string, value: unknown): void {
  const text = formatValue(value);
  if (text.length > MAX_VALUE) {
    throw new AppError("invalid", say`The parameter ${name} has more than ${MAX_VALUE} characters`);
  }
  if (!text.isWellFormed()) throw new AppError("invalid", say`The parameter ${name} is no text`);
}
