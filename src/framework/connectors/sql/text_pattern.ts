import { foldText, likeAnywhere } from "#src/kernel/text.ts";

/** Position of a searched text in a column: anywhere, at its start or at its end. */
export type PatternPosition = "anywhere" | "start" | "end";

/** Latin-1 letters by their plain letter. Databases with other encodings than UTF-8 have no further ones. */
const ACCENTED = Map.groupBy(
  Array.from({ length: 0x40 }, (_, i) => String.fromCharCode(0xc0 + i)),
  foldText,
);

/** Returns all spellings of a letter, with accents and in both cases; other characters have only themselves. */
function listSpellings(char: string): string[] {
  const letter = foldText(char);
  const all = [char, letter, letter.toUpperCase(), ...ACCENTED.get(letter) ?? []];
  return [...new Set(all)].filter((it) => [...it].length === 1);
}

function spell(text: string, escape: (char: string) => string): string {
  return [...text.normalize("NFC")].map((char) => {
    const spellings = listSpellings(char);
    return spellings.length > 1 ? `[${spellings.join("")}]` : escape(char);
  }).join("");
}

/** Returns a regular expression of PostgreSQL that finds a text literally, but with any accents. */
export function writeRegex(text: string, position: PatternPosition): string {
  const found = spell(text, (char) => char.replace(/[\\^$.*+?()[\]{}|]/, "\\$&"));
  return `${position === "start" ? "^" : ""}${found}${position === "end" ? "$" : ""}`;
}

/** Returns a GLOB pattern of SQLite that finds a text literally, but with any accents and in any case. */
export function writeGlob(text: string, position: PatternPosition): string {
  return surround(spell(text, (char) => char.replace(/[*?[]/, "[$&]")), position, "*");
}

/** Returns a LIKE pattern that finds a text literally. */
export function writeLike(text: string, position: PatternPosition): string {
  return surround(likeAnywhere(text).slice(1, -1), position, "%");
}

function surround(found: string, position: PatternPosition, any: string): string {
  return `${position === "start" ? "" : any}${found}${position === "end" ? "" : any}`;
}
