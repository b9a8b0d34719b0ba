import { RE2JS } from "re2js";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

/** Explains why a pattern is invalid. It must run in linear time (RE2), so that no caller can make it slow. */
export function problemOfPattern(pattern: string): Sentence | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    return say`no pattern of RE2: ${(error as Error).message}`;
  }
}

/** Checks whether the pattern matches anywhere in the text, as in JSON Schema. */
export function fitsPattern(pattern: string, text: string): boolean {
  return getMatcher(pattern).matcher(text).find();
}

const matchers = new Map<string, RE2JS>();
const MAX_MATCHERS = 1_000;

function getMatcher(pattern: string): RE2JS {
  const known = matchers.get(pattern) ?? RE2JS.compile(pattern);
  if (matchers.size >= MAX_MATCHERS) matchers.clear();
  matchers.set(pattern, known);
  return known;
}
