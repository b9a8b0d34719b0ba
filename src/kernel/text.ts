import { AppError } from "./errors.ts";
import { say } from "./sentences/sentence.ts";

/** Lower case without accents, so that `helios` finds `Hélios`. */
export function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** At most so many characters of it; none is cut in two. */
export function beginningOf(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join("");
}

/** Marks that nobody sees: pages put them into what is copied from them. */
const UNSEEN = /\p{Cf}/gu;
const SEPARATORS = /[\s\p{P}\p{S}]+/u;
/** An index takes no longer ones. */
const LONGEST_WORD = 100;
const MOST_WORDS = 1_000;

/** The different words of texts as they are looked for: folded, without punctuation. */
export function wordsOf(...texts: readonly (string | undefined)[]): string[] {
  const words = folded(texts.filter(Boolean).join(" ").replace(UNSEEN, "")).split(SEPARATORS)
    .filter(Boolean)
    .map((it) => beginningOf(it, LONGEST_WORD));
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** The text as a LIKE pattern that matches it anywhere and literally. */
export function likeAnywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

/** `refused`, by the name of what it is the content of, unless it is UTF-8. */
export function utf8Text(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch {
    throw new AppError("refused", say`${name} is not UTF-8`);
  }
}

/** Letters two words may differ by and still be taken for one another. */
const FAR = 2;

/** What somebody may have meant who wrote `word`: the known word at most two letters (`most`) from it, whatever the case. */
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

/** Levenshtein's distance; Infinity as soon as it is certainly more than `FAR`. */
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
