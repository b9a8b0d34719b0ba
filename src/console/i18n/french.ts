/**
 * French puts a space before these signs and within its quotation marks; a line neither begins nor ends there. What goes on behind the
 * sign is code that a sentence quotes (`:id`, `!=`).
 */
const SPACES = / (?=[;:!?»]+(?:[\s.,)…]|$))|(?<=«) /g;

/** A French text whose signs stay with their words. */
export function spaced(text: string): string {
  return text.replace(SPACES, "\u00a0");
}

/** Sentences, with all that is in them; what they are given to quote stays as it is. */
export function spacedWords<T>(words: T): T {
  return spacedOf(words) as T;
}

function spacedOf(words: unknown): unknown {
  if (typeof words === "string") return spaced(words);
  if (typeof words === "function") {
    return (...given: unknown[]) => {
      const said = words(...given);
      return typeof said === "string" ? around(said, given.flat().filter(isText)) : said;
    };
  }
  if (Array.isArray(words)) return words.map(spacedOf);
  if (typeof words !== "object" || words === null) return words;
  return Object.fromEntries(Object.entries(words).map(([name, it]) => [name, spacedOf(it)]));
}

const isText = (it: unknown): it is string => typeof it === "string" && it.trim() !== "";

function around(said: string, [first, ...rest]: readonly string[]): string {
  if (first === undefined) return spaced(said);
  return said.split(first).map((it) => around(it, rest)).join(first);
}
