import type { z } from "zod";
import { keysAt, type ValuePath } from "#src/definitions/walk.ts";
import { describeForm } from "#src/definitions/words.ts";
import { sentenceOfIssue } from "#src/kernel/i18n/schema.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import { MAX_PROBLEMS } from "#src/ports/yaml.ts";

type Issue = z.core.$ZodIssue;

interface IssueText {
  readonly path: ValuePath;
  readonly on: "key" | "value";
  readonly sentence: Sentence;
}

interface Described {
  /** The first `MAX_PROBLEMS`. */
  readonly described: readonly IssueText[];
  /** All problems. */
  readonly count: number;
}

/** Describes the first problems that a schema finds in a value and counts the others. */
export function describeIssues(
  issues: readonly Issue[],
  about: { schema: z.ZodType; value: unknown },
): Described {
  const described: IssueText[] = [];
  let count = 0;
  for (const issue of issues) {
    count += countIssue(issue);
    const room = MAX_PROBLEMS - described.length;
    if (room > 0) described.push(...describeIssue(issue, about).slice(0, room));
  }
  return { described, count };
}

function countIssue(issue: Issue): number {
  if (issue.code === "unrecognized_keys") return unknownKeys(issue).length;
  if (issue.code !== "invalid_union") return 1;
  const meant = meantBy(issue);
  return Math.max(1, meant.reduce((sum, it) => sum + countIssue(it), 0));
}

function unknownKeys({ keys }: Issue & { code: "unrecognized_keys" }): string[] {
  return keys.filter((it) => !it.startsWith("x-"));
}

function describeIssue(
  issue: Issue,
  { schema, value }: { schema: z.ZodType; value: unknown },
): IssueText[] {
  const path = issue.path as ValuePath;
  const at = (sentence: Sentence): IssueText[] => [{ path, on: "value", sentence }];
  const given = formatValue(valueAt(value, path));
  switch (issue.code) {
    case "unrecognized_keys": {
      const known = keysAt(schema, value, path) ?? [];
      return unknownKeys(issue).slice(0, MAX_PROBLEMS).map((key) => ({
        path: [...path, key],
        on: "key",
        sentence: unknownKey(key, known),
      }));
    }
    case "invalid_type":
      return at(
        valueAt(value, path) === undefined
          ? say`${name(path)} is missing`
          : say`${name(path)}: ${getKind(issue.expected)} is expected, not ${given}`,
      );
    case "invalid_value":
      return at(
        describeChoices(path, { given, values: issue.values, value: valueAt(value, path) }),
      );
    case "invalid_key":
      return [{
        path,
        on: "key",
        sentence: say`${name(path)}: ${getMessage(issue.issues)}`,
      }];
    case "invalid_union":
      return describeUnion(issue, { schema, value });
    case "invalid_format":
      return at(say`${name(path)}: ${getPattern(issue)} is expected, not ${given}`);
    case "too_small":
      return at(
        say`${name(path)}: at least ${issue.minimum} ${unit(issue.origin)}, not ${given}`,
      );
    case "too_big":
      return at(say`${name(path)}: at most ${issue.maximum} ${unit(issue.origin)}`);
    case "custom":
      return at(say`${name(path)}: ${getSentence(issue)}`);
    default:
      return at(say`${name(path)}: ${sentenceOfIssue(issue, value)}`);
  }
}

function describeUnion(
  issue: Issue & { code: "invalid_union" },
  { schema, value }: { schema: z.ZodType; value: unknown },
): IssueText[] {
  const path = issue.path as ValuePath;
  const given = valueAt(value, path);
  const options = (issue as { options?: readonly unknown[] }).options;
  if (given === undefined || !issue.errors.length) {
    const sentence = describeChoices(path, {
      given: formatValue(given),
      values: options ?? [],
      value: given,
    });
    return [{ path, on: "value", sentence }];
  }
  const meant = meantBy(issue);
  if (!meant.some((it) => it.path.length)) {
    return [{
      path,
      on: "value",
      sentence: say`${name(path)}: ${formatValue(given)} is not expected here`,
    }];
  }
  const inPlace = meant.map((it) => ({ ...it, path: [...path, ...it.path] as PropertyKey[] }));
  return [...describeIssues(inPlace, { schema, value }).described];
}

/** The problems of the alternative that the author meant, which fits furthest. */
function meantBy({ errors }: Issue & { code: "invalid_union" }): readonly Issue[] {
  const depth = (issues: readonly Issue[]) =>
    issues.reduce((most, it) => Math.max(most, it.path.length), 0);
  const [meant = []] = [...errors].sort((a, b) => depth(b) - depth(a));
  return meant;
}

function describeChoices(
  path: ValuePath,
  { given, values, value }: {
    given: Sentence | string;
    values: readonly unknown[];
    value: unknown;
  },
): Sentence {
  if (value === undefined) return say`${name(path)} is missing`;
  if (!values.length) return say`${name(path)}: ${given} is not known`;
  const hint = typeof value === "string" ? nearest(value, values.map(String)) : undefined;
  return hint === undefined
    ? say`${name(path)}: ${values.join(", ")} is expected, not ${given}`
    : say`${name(path)}: there is no ${given}; did you mean ${hint}?`;
}

function unknownKey(key: string, known: readonly string[]): Sentence {
  const hint = nearest(key, known);
  return hint === undefined
    ? say`There is no key ${key.slice(0, 100)} here; known are ${known.join(", ")}`
    : say`There is no key ${key} here; did you mean ${hint}?`;
}

function getPattern(issue: Issue): Sentence {
  return describeForm(issue) ??
    say`a text of the form ${(issue as { pattern?: string }).pattern ?? ""}`;
}

/** Why a key is refused. */
function getMessage([first]: readonly Issue[]): Sentence | string {
  if (first?.code === "invalid_format") return say`${getPattern(first)} is expected`;
  return first?.message ?? "";
}

function getSentence(issue: Issue): unknown {
  return (issue as { params?: { sentence?: Sentence } }).params?.sentence ?? issue.message;
}

function unit(origin: string): Sentence | string {
  if (origin === "string") return say`characters`;
  return origin === "array" ? say`items` : "";
}

const KINDS: Readonly<Record<string, Sentence>> = {
  string: say`a text`,
  number: say`a number`,
  int: say`a whole number`,
  boolean: say`true or false`,
  object: say`a map`,
  record: say`a map`,
  array: say`a list`,
};

function getKind(expected: string): Sentence | string {
  return KINDS[expected] ?? expected;
}

/** Returns the last named step of the path; the problem's position is reported there. */
function name(path: ValuePath): Sentence | string {
  return path.slice(-2).join(".") || say`the section`;
}

function formatValue(value: unknown): Sentence | string {
  if (value === undefined || value === null) return say`an empty value`;
  if (Array.isArray(value)) return say`a list`;
  if (typeof value === "object" && value !== null) return say`a map`;
  return JSON.stringify(value)?.slice(0, 100) ?? "";
}

export function valueAt(value: unknown, path: ValuePath): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}
