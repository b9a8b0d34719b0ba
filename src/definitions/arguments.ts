import type { z } from "zod";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { fitsPattern } from "./pattern.ts";
import { resolvePreset } from "./preset.ts";
import { compareTyped, readTyped, type Typed } from "./typed.ts";
import type { EndpointParam } from "./words.ts";

type Params = Readonly<Record<string, z.infer<typeof EndpointParam>>>;
type Param = Params[string];

/** Caller whose values fill parameters: `from: user.<field>`, `from: claims.<name>`. */
export interface Caller {
  readonly user: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** Values of the parameters of a call; a parameter without a value is null. */
export type Arguments = ReadonlyMap<string, Typed>;

export interface ArgumentSource {
  readonly caller: Caller;
  readonly now: Date;
  /** The values of a lookup that are known without asking a database. */
  readonly choicesOf?: (lookup: string) => readonly unknown[] | undefined;
  /** Name of a parameter in messages; without it, the name in the call. */
  readonly labelOf?: (name: string) => string | undefined;
}

/** Maximum length of a text without a `max_length`. */
const MAX_TEXT = 100_000;
const MAX_ITEMS = 1_000;
/** Most allowed values that a message lists. */
const MAX_CHOICES = 20;

/**
 * Validates the parameters of a call and converts each to its type, or uses its default. Callers cannot set
 * values bound from their account, and such a value is required: a filter by a missing claim is never skipped.
 * Throws AppError `invalid` with every mistake by its name, or `forbidden` where the caller lacks a bound value.
 */
export function bindArguments(
  params: Params,
  given: Readonly<Record<string, unknown>>,
  { caller, now, choicesOf = () => undefined, labelOf = () => undefined }: ArgumentSource,
): Arguments {
  const mistakes = Object.keys(given).flatMap((name) => findStray(name, params));
  const bound = new Map<string, Typed>();
  for (const [name, param] of Object.entries(params)) {
    const value = param.from === undefined
      ? (Object.hasOwn(given, name) ? given[name] : undefined) ?? resolvePreset(param, now)
      : getBound(name, param, caller);
    if (value === undefined || value === null) {
      if (param.required) mistakes.push(say`${labelOf(name) ?? name} is missing`);
      bound.set(name, null);
      continue;
    }
    const read = readTyped(param.type, value);
    const problem = "problem" in read
      ? read.problem
      : toProblem({ enum: choicesIn(param, choicesOf), ...param }, read.value);
    if (problem) mistakes.push(say`${labelOf(name) ?? name} ${problem}`);
    else if ("value" in read) bound.set(name, read.value);
  }
  if (mistakes.length) throw new AppError("invalid", say`${mistakes}`);
  return bound;
}

function findStray(name: string, params: Params): Sentence[] {
  if (!Object.hasOwn(params, name)) {
    const meant = nearest(name, Object.keys(params));
    return [
      meant === undefined
        ? say`There is no parameter ${name}`
        : say`There is no parameter ${name}; did you mean ${meant}?`,
    ];
  }
  return params[name]?.from === undefined ? [] : [say`${name} is not the caller's to give`];
}

function getBound(name: string, { from = "", default: preset }: Param, caller: Caller): unknown {
  const dot = from.indexOf(".");
  const [source, field] = [from.slice(0, dot), from.slice(dot + 1)];
  const held = source === "claims" ? caller.claims : caller.user;
  const value = Object.hasOwn(held, field) ? held[field] : undefined;
  if (value !== undefined && value !== null) return value;
  if (preset !== undefined) return preset;
  throw new AppError(
    "forbidden",
    say`Your account has no ${from}, which ${name} is taken from`,
  );
}

function choicesIn({ lookup }: Param, choicesOf: NonNullable<ArgumentSource["choicesOf"]>) {
  const choices = lookup === undefined ? undefined : choicesOf(lookup);
  return choices as Param["enum"];
}

function toProblem(param: Param, value: Typed): Sentence | undefined {
  if (Array.isArray(value)) {
    if (value.length > MAX_ITEMS) return say`has more than ${MAX_ITEMS} values`;
    const { type, ...rest } = param;
    const item = { ...rest, type: type.slice("array<".length, -1) };
    return value.map((it: Typed) => toProblem(item, it)).find(Boolean);
  }
  const { type, min, max, min_length, max_length = MAX_TEXT, pattern, enum: choices } = param;
  if (choices && !choices.some((it) => String(it) === String(value))) {
    const shown = choices.slice(0, MAX_CHOICES).map(String);
    return say`is not one of ${choices.length > MAX_CHOICES ? [...shown, "…"] : shown}`;
  }
  if (min !== undefined && compareTyped(type, value, min) < 0) return say`is less than ${min}`;
  if (max !== undefined && compareTyped(type, value, max) > 0) return say`is more than ${max}`;
  if (typeof value !== "string") return undefined;
  if (value.length > max_length) return say`has more than ${max_length} characters`;
  if (min_length !== undefined && value.length < min_length) {
    return say`has less than ${min_length} characters`;
  }
  if (pattern !== undefined && !fitsPattern(pattern, value)) {
    return say`does not match ${pattern}`;
  }
  return undefined;
}
