import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";

/**
 * A permission code is colon-separated segments. A required code names each; in a grant `*` stands for exactly one
 * segment, and alone for everything, which only the role `admin` holds.
 */
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const EVERYTHING = "*";

/** True for a name that can stand in a code without reading as more than one segment. */
export function isSegment(text: string): boolean {
  return SEGMENT.test(text);
}

/** True for a code a route can ask for: two to four names, no wildcard. */
export function isRequired(code: string): boolean {
  const segments = code.split(":");
  return segments.length >= 2 && segments.length <= 4 && segments.every(isSegment);
}

/** True when whoever holds `granted` holds all of `wanted`, which may have wildcards itself. */
export function covers(granted: string, wanted: string): boolean {
  if (granted === EVERYTHING || granted === wanted) return true;
  const held = granted.split(":");
  const asked = wanted.split(":");
  return held.length === asked.length &&
    held.every((it, at) => it === EVERYTHING || it === asked[at]);
}

/** True when a grant may allow a call whose code has places for names: `sql:{connector}:{query}`. */
export function reaches(granted: string, pattern: string): boolean {
  const held = granted.split(":");
  const asked = pattern.split(":");
  return granted === EVERYTHING || held.length === asked.length &&
      held.every((it, at) => it === EVERYTHING || it === asked[at] || asked[at]?.startsWith("{"));
}

/** Where a grant may have wildcards: `_` marks a name, on the axis of connectors, apps and names of things. */
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

/** Why a role may not hold this code, or undefined when it may. `*` is no grant of an ordinary role. */
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
