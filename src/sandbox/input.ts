/** Untrusted JSON: each reader gives the value or undefined, and never throws. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonObject
    : undefined;
}

export function parseObject(text: string): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((one) => one === value);
}

/** What a field may hold, and the words for it. */
export interface Wanted {
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}

export type Shape = Readonly<Record<string, Wanted>>;

export const TEXT: Wanted = { words: "a text", fits: (value) => typeof value === "string" };
export const OBJECT: Wanted = { words: "an object", fits: (value) => !!objectOf(value) };
export const LIST: Wanted = { words: "a list", fits: (value) => Array.isArray(value) };

export function textLike(pattern: RegExp, words: string): Wanted {
  return { words, fits: (value) => typeof value === "string" && pattern.test(value) };
}

export function choiceOf(allowed: readonly string[]): Wanted {
  return { words: `one of ${allowed.join(", ")}`, fits: (value) => !!oneOf(value, allowed) };
}

export function numberFrom(least: number, most: number): Wanted {
  return {
    words: `a number from ${least} to ${most}`,
    fits: (value) => typeof value === "number" && value >= least && value <= most,
  };
}

export function wholeFrom(least: number, most: number): Wanted {
  const { fits } = numberFrom(least, most);
  return {
    words: `a whole number from ${least} to ${most}`,
    fits: (value) => Number.isInteger(value) && fits(value),
  };
}

/** The first field that `what` does not have, or that holds something else than it may, as a sentence. */
export function misfit(body: JsonObject, shape: Shape, what: string): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const wanted = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const shown = JSON.stringify(value);
    if (!wanted) {
      return `${what} has no field ${name} (${shown}): there are ${Object.keys(shape).join(", ")}`;
    }
    if (!wanted.fits(value)) return `${name} of ${what} is ${shown}: expected ${wanted.words}`;
  }
  return undefined;
}
