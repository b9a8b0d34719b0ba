import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

/**
 * Segment of a permission code; segments are separated by colons. A required code names each segment. In a grant
 * `*` matches exactly one segment; alone it matches everything, and only the role `admin` has it.
 */
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const EVERYTHING = "*";

/** Checks that a name can be one segment of a code. */
export function isSegment(text: string): boolean {
  return SEGMENT.test(text);
}

/** Returns true for a code a route can ask for: two to four names, no wildcard. */
export function isRequired(code: string): boolean {
  const segments = code.split(":");
  return segments.length >= 2 && segments.length <= 4 && segments.every(isSegment);
}

/** Checks whether `granted` includes all of `wanted`, which may contain wildcards itself. */
export function coversCode(granted: string, wanted: string): boolean {
  if (granted === EVERYTHING || granted === wanted) return true;
  const held = granted.split(":");
  const asked = wanted.split(":");
  return held.length === asked.length &&
    held.every((it, at) => it === EVERYTHING || it === asked[at]);
}

/**
 * Returns true when a grant may allow a call whose code has places for names: `sql:{connector}:{query}`,
 * `job:<job>`.
 */
export function reaches(granted: string, pattern: string): boolean {
  const held = granted.split(":");
  const asked = pattern.split(":");
  return granted === EVERYTHING || held.length === asked.length &&
      held.every((it, at) =>
        it === EVERYTHING || it === asked[at] || /^[{<]/.test(asked[at] ?? "")
      );
}

/** Shapes of grants with wildcards: `_` marks a name of a connector, an app or another object. */
const WILDCARD_SHAPES = [
  "sql:_:_",
  "sql:_:_:write",
  "api:_:_",
  "screen:_:_",
  "menu:_:_",
  "dashboard:_",
  "chart:_",
  "job:_",
  "ai:tool:_",
  "pool:_:read",
  "pool:_:write",
  "pool:_:control",
].map((shape) => shape.split(":"));

/** Explains why a role may not hold this code, or returns undefined. `*` is no grant of an ordinary role. */
export function problemOfGrant(code: string): Sentence | undefined {
  if (code === EVERYTHING) return say`* is reserved for the role admin`;
  const segments = code.split(":");
  if (segments.length < 2 || segments.length > 4) {
    return say`${code} is no permission code: two to four segments are expected`;
  }
  const wrong = segments.find((it) => it !== EVERYTHING && !isSegment(it));
  if (wrong !== undefined) {
    return say`${code} is no permission code: ${JSON.stringify(wrong)} is no segment`;
  }
  if (segments.includes(EVERYTHING) && !WILDCARD_SHAPES.some((shape) => fits(segments, shape))) {
    return say`${code} has a wildcard where none is allowed`;
  }
  return undefined;
}

function fits(segments: readonly string[], shape: readonly string[]): boolean {
  return segments.length === shape.length &&
    shape.every((it, at) => it === "_" || it === segments[at]);
}
