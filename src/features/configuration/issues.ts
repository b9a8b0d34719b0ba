import type { z } from "zod";
import { keysAt, type Path } from "#src/definitions/walk.ts";
import { formOf } from "#src/definitions/words.ts";
import { sentenceOfIssue } from "#src/kernel/sentences/schema.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";

type Issue = z.core.$ZodIssue;

interface IssueText {
  readonly path: Path;
  readonly on: "key" | "value";
  readonly sentence: Sentence;
}

/** What a schema says of a value, in sentences that name what is there and what would do. */
export function describeIssue(
  issue: Issue,
  { schema, value }: { schema: z.ZodType; value: unknown },
): IssueText[] {
  const path = issue.path as Path;
  const at = (sentence: Sentence): IssueText[] => [{ path, on: "value", sentence }];
  const given = shown(valueAt(value, path));
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.filter((it) => !it.startsWith("x-")).map((key) => ({
        path: [...path, key],
        on: "key",
        sentence: unknownKey(key, keysAt(schema, value, path) ?? []),
      }));
    case "invalid_type":
      return at(
        valueAt(value, path) === undefined
          ? say`${name(path)} is missing`
          : say`${name(path)}: ${kindOf(issue.expected)} is expected, not ${given}`,
      );
    case "invalid_value":
      return at(oneOf(path, { given, values: issue.values, value: valueAt(value, path) }));
    case "invalid_key":
      return [{
        path,
        on: "key",
        sentence: say`${name(path)}: ${messageOf(issue.issues)}`,
      }];
    case "invalid_union":
      return describeUnion(issue, { schema, value });
    case "invalid_format":
      return at(say`${name(path)}: ${patternOf(issue)} is expected, not ${given}`);
    case "too_small":
      return at(
        say`${name(path)}: at least ${issue.minimum} ${unit(issue.origin)}, not ${given}`,
      );
    case "too_big":
      return at(say`${name(path)}: at most ${issue.maximum} ${unit(issue.origin)}`);
    case "custom":
      return at(say`${name(path)}: ${sentenceOf(issue)}`);
    default:
      return at(say`${name(path)}: ${sentenceOfIssue(issue, value)}`);
  }
}

function describeUnion(
  issue: Issue & { code: "invalid_union" },
  { schema, value }: { schema: z.ZodType; value: unknown },
): IssueText[] {
  const path = issue.path as Path;
  const given = valueAt(value, path);
  const options = (issue as { options?: readonly unknown[] }).options;
  if (given === undefined || !issue.errors.length) {
    const sentence = oneOf(path, { given: shown(given), values: options ?? [], value: given });
    return [{ path, on: "value", sentence }];
  }
  // The alternative that was meant is the one that got furthest.
  const depth = (issues: readonly Issue[]) => Math.max(...issues.map((it) => it.path.length));
  const [meant = []] = [...issue.errors].sort((a, b) => depth(b) - depth(a));
  if (!meant.some((it) => it.path.length)) {
    return [{
      path,
      on: "value",
      sentence: say`${name(path)}: ${shown(given)} is not expected here`,
    }];
  }
  return meant.flatMap((it) =>
    describeIssue({ ...it, path: [...path, ...it.path] as PropertyKey[] }, { schema, value })
  );
}

function oneOf(
  path: Path,
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

function patternOf(issue: Issue): Sentence {
  return formOf(issue) ?? say`a text of the form ${(issue as { pattern?: string }).pattern ?? ""}`;
}

/** Why a key is refused. */
function messageOf([first]: readonly Issue[]): Sentence | string {
  if (first?.code === "invalid_format") return say`${patternOf(first)} is expected`;
  return first?.message ?? "";
}

function sentenceOf(issue: Issue): unknown {
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

function kindOf(expected: string): Sentence | string {
  return KINDS[expected] ?? expected;
}

/** The last step that is a name: a problem says what it is about, and its place where that is. */
function name(path: Path): Sentence | string {
  return path.slice(-2).join(".") || say`the section`;
}

function shown(value: unknown): Sentence | string {
  if (value === undefined || value === null) return say`an empty value`;
  if (Array.isArray(value)) return say`a list`;
  if (typeof value === "object" && value !== null) return say`a map`;
  return JSON.stringify(value)?.slice(0, 100) ?? "";
}

export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string | number, unknown>)[step];
  }
  return at;
}
