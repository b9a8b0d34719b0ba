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

function spell(chars: Iterable<string>, escape: (char: string) => string): string {
  return [...chars].map((char) => {
    const spellings = listSpellings(char);
    return spellings.length > 1 ? `[${spellings.join("")}]` : escape(char);
  }).join("");
}

/** Ligatures as escapes, since a database with Latin-1 does not have them all. */
const LIGATURES = [["oe", "[\\u0153\\u0152]"], ["ae", "[\\u00e6\\u00c6]"]] as const;

/** Returns a regular expression of PostgreSQL that finds a text literally, but with any accents and ligatures. */
export function writeRegex(text: string, position: PatternPosition): string {
  const found = text.normalize("NFC").split(/(oe|œ|ae|æ)/i).map((part) => {
    const letters = spell(
      part.replace(/[œæ]/i, foldText),
      (char) => char.replace(/[\\^$.*+?()[\]{}|]/, "\\$&"),
    );
    const [, ligature] = LIGATURES.find(([it]) => it === foldText(part)) ?? [];
    return ligature ? `(?:${letters}|${ligature})` : letters;
  }).join("");
  return `${position === "start" ? "^" : ""}${found}${position === "end" ? "$" : ""}`;
}

/**
 * Returns a GLOB pattern of SQLite that finds a text literally, but with any accents and in any case. The column has no
 * ligatures (`writeUnligatured`).
 */
export function writeGlob(text: string, position: PatternPosition): string {
  const letters = text.normalize("NFC").replace(/[œæ]/gi, foldText);
  return surround(spell(letters, (char) => char.replace(/[*?[]/, "[$&]")), position, "*");
}

/** Returns an expression of SQLite for a text with `oe` and `ae` instead of ligatures. */
export function writeUnligatured(text: string): string {
  return [..."œŒæÆ"].reduce((all, it) => `replace(${all}, '${it}', '${foldText(it)}')`, text);
}

/** Returns a LIKE pattern that finds a text literally. */
export function writeLike(text: string, position: PatternPosition): string {
  return surround(likeAnywhere(text).slice(1, -1), position, "%");
}

function surround(found: string, position: PatternPosition, any: string): string {
  return `${position === "start" ? "" : any}${found}${position === "end" ? "" : any}`;
}
