import { RE2JS } from "re2js";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";

/** Why a pattern cannot be one: it must be linear in the length of what it reads (RE2), so no caller can make it last. */
export function problemOfPattern(pattern: string): Sentence | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return say`no pattern of RE2: ${(error as Error).message}`;
  }
}

/** Whether the pattern is found anywhere in the text, as JSON Schema means it. */
export function fitsPattern(pattern: string, text: string): boolean {
  return matcherOf(pattern).matcher(text).find();
}

const matchers = new Map<string, RE2JS>();
const MOST_MATCHERS = 1_000;

function matcherOf(pattern: string): RE2JS {
  const known = matchers.get(pattern) ?? RE2JS.compile(pattern);
  if (matchers.size >= MOST_MATCHERS) matchers.clear();
  matchers.set(pattern, known);
  return known;
}
