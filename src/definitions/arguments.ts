import type { z } from "zod";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { fitsPattern } from "./pattern.ts";
import { presetOf } from "./preset.ts";
import { compareTyped, readTyped, type Typed } from "./typed.ts";
import type { EndpointParam } from "./words.ts";

type Params = Readonly<Record<string, z.infer<typeof EndpointParam>>>;
type Param = Params[string];

/** Who calls, as far as parameters are bound from it: `from: user.<field>`, `from: claims.<name>`. */
export interface Caller {
  readonly user: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What a call gives for its parameters; a parameter without a value is null. */
export type Arguments = ReadonlyMap<string, Typed>;

export interface Binding {
  readonly caller: Caller;
  readonly now: Date;
  /** The values of a lookup that are known without asking a database. */
  readonly choicesOf?: (lookup: string) => readonly unknown[] | undefined;
}

/** Without a `max_length` of its own. */
const MAX_TEXT = 100_000;
const MAX_ITEMS = 1_000;

/**
 * The parameters of a call, each checked, of its type, or its default. What is bound from the caller nobody can give, and
 * it must be there: a filter by a claim that an account lacks is not left out. Throws AppError `invalid` with every
 * mistake by its name, `forbidden` where the caller lacks what a parameter is bound from.
 */
export function bindArguments(
  params: Params,
  given: Readonly<Record<string, unknown>>,
  { caller, now, choicesOf = () => undefined }: Binding,
): Arguments {
  const mistakes = Object.keys(given).flatMap((name) => strayOf(name, params));
  const bound = new Map<string, Typed>();
  for (const [name, param] of Object.entries(params)) {
    const value = param.from === undefined
      ? (Object.hasOwn(given, name) ? given[name] : undefined) ?? presetOf(param, now)
      : boundOf(name, param, caller);
    if (value === undefined || value === null) {
      if (param.required) mistakes.push(say`${name} is missing`);
      bound.set(name, null);
      continue;
    }
    const read = readTyped(param.type, value);
    const problem = "problem" in read
      ? read.problem
      : problemOf({ enum: choicesIn(param, choicesOf), ...param }, read.value);
    if (problem) mistakes.push(say`${name} ${problem}`);
    else if ("value" in read) bound.set(name, read.value);
  }
  if (mistakes.length) throw new AppError("invalid", say`${mistakes}`);
  return bound;
}

function strayOf(name: string, params: Params): Sentence[] {
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

function boundOf(name: string, { from = "", default: preset }: Param, caller: Caller): unknown {
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

function choicesIn({ lookup }: Param, choicesOf: NonNullable<Binding["choicesOf"]>) {
  const choices = lookup === undefined ? undefined : choicesOf(lookup);
  return choices as Param["enum"];
}

function problemOf(param: Param, value: Typed): Sentence | undefined {
  if (Array.isArray(value)) {
    if (value.length > MAX_ITEMS) return say`has more than ${MAX_ITEMS} values`;
    const { type, ...rest } = param;
    const item = { ...rest, type: type.slice("array<".length, -1) };
    return value.map((it: Typed) => problemOf(item, it)).find(Boolean);
  }
  const { type, min, max, min_length, max_length = MAX_TEXT, pattern, enum: choices } = param;
  if (choices && !choices.some((it) => String(it) === String(value))) {
    return say`is none of ${choices.slice(0, 20).map(String)}`;
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
