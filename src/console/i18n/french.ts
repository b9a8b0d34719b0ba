/**
 * French puts a non-breaking space before these signs and inside quotation marks. A sign followed by other
 * characters is quoted code (`:id`, `!=`).
 */
const SPACES = / (?=[;:!?»]+(?:[\s.,)…]|$))|(?<=«) /g;

/** Makes the spaces around French punctuation non-breaking. */
export function spacePunctuation(text: string): string {
  return text.replace(SPACES, "\u00a0");
}

/** Applies French spacing to all sentences, but not to the arguments they quote. */
export function spacedWords<T>(words: T): T {
  return addSpaces(words) as T;
}

function addSpaces(words: unknown): unknown {
  if (typeof words === "string") return spacePunctuation(words);
  if (typeof words === "function") {
    return (...given: unknown[]) => {
      const said = words(...given);
      return typeof said === "string" ? around(said, given.flat().filter(isText)) : said;
    };
  }
  if (Array.isArray(words)) return words.map(addSpaces);
  if (typeof words !== "object" || words === null) return words;
  return Object.fromEntries(Object.entries(words).map(([name, it]) => [name, addSpaces(it)]));
}

const isText = (it: unknown): it is string => typeof it === "string" && it.trim() !== "";

function around(said: string, [first, ...rest]: readonly string[]): string {
  if (first === undefined) return spacePunctuation(said);
  return said.split(first).map((it) => around(it, rest)).join(first);
}
