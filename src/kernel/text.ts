import { AppError } from "./errors.ts";
import { say } from "./i18n/sentence.ts";

/** Converts to lower case without accents and ligatures, so that `helios` finds `Hélios` and `oeuf` finds `Œuf`. */
export function foldText(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replaceAll("œ", "oe").replaceAll("æ", "ae");
}

/** Returns a folded word as texts may contain it whose ligatures are not folded: `oeuf` and `œuf`. */
export function spellLigatures(word: string): string[] {
  return [...new Set([word, word.replaceAll("oe", "œ").replaceAll("ae", "æ")])];
}

/** Returns at most this number of characters; no character is cut in two. */
export function truncateText(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join("");
}

/** Invisible marks: web pages add them to copied text. */
const UNSEEN = /\p{Cf}/gu;
const SEPARATORS = /[\s\p{P}\p{S}]+/u;
/** Maximum length of a word in an index. */
const MAX_WORD_LENGTH = 100;
const MAX_WORDS = 1_000;

/** Returns the different words of texts in search form: folded, without punctuation. */
export function splitWords(...texts: readonly (string | undefined)[]): string[] {
  const words = foldText(texts.filter(Boolean).join(" ").replace(UNSEEN, "")).split(SEPARATORS)
    .filter(Boolean)
    .map((it) => truncateText(it, MAX_WORD_LENGTH));
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** Returns a LIKE pattern that matches the text anywhere and literally. */
export function likeAnywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Decodes UTF-8; throws `refused` with the name of the content for other bytes. */
export function utf8Text(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new AppError("refused", say`${name} is not UTF-8`);
  }
}

/** Letters two words may differ by and still be taken for one another. */
const FAR = 2;

/** Returns the probable intended word: the known word at most two letters (`most`) from `word`, ignoring case. */
export function nearest(word: string, known: Iterable<string>, most = FAR): string | undefined {
  const written = word.toLowerCase();
  let best: { word: string; distance: number } | undefined;
  for (const candidate of known) {
    const distance = lettersBetween(written, candidate.toLowerCase());
    if (distance <= most && distance < candidate.length && distance < (best?.distance ?? FAR + 1)) {
      best = { word: candidate, distance };
    }
  }
  return best?.word;
}

/** Computes Levenshtein's distance; Infinity as soon as it certainly exceeds `FAR`. */
function lettersBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > FAR) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const distance = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(distance);
      if (distance < least) least = distance;
    }
    if (least > FAR) return Infinity;
    row = next;
  }
  return row.at(-1) ?? Infinity;
}
