import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { wordsIn } from "#drizzle/schema/expressions.ts";
import { spellLigatures, splitWords } from "#src/kernel/text.ts";

/** Fewest letters of a searched beginning; a shorter one matches too many words. */
const MIN_BEGINNING_LENGTH = 3;
/** The same after another word, which leaves few rows. */
const MIN_FURTHER_LENGTH = 2;

/** Word of a search, or the beginning of a word: `dup*`. */
interface SearchWord {
  readonly word: string;
  readonly isBeginning: boolean;
}

/** Splits a search into its words, each once. It leaves out the first letter of a further word while that is typed. */
export function searchWordsIn(search: string): SearchWord[] {
  const parts = search.split(/\s+/).map((part) => ({
    words: splitWords(part),
    isOpen: part.endsWith("*"),
  }));
  const isFurther = parts.reduce((all, { words }) => all + words.length, 0) > 1;
  const least = isFurther ? MIN_FURTHER_LENGTH : MIN_BEGINNING_LENGTH;
  const words = parts.flatMap(({ words, isOpen }) =>
    words.flatMap((word, i) => {
      const isTyped = isOpen && i === words.length - 1;
      if (isTyped && isFurther && word.length < least) return [];
      return [{ word, isBeginning: isTyped && word.length >= least }];
    })
  );
  return [...new Map(words.map((it) => [getTerm(it), it])).values()];
}

/**
 * Selects rows whose text has every word of all these texts, in any order, with accents and case folded. A text without a
 * word matches nothing. The column holds words as `splitWords` returns them; older rows contain ligatures.
 */
export function hasWords(column: PgColumn, ...texts: readonly string[]): SQL | undefined {
  const words = texts.map(searchWordsIn);
  if (words.some((it) => !it.length)) return sql`false`;
  const terms = [...new Set(words.flat().map(getTerm))];
  return terms.length ? sql`${wordsIn(column)} @@ ${terms.join(" & ")}::tsquery` : undefined;
}

function getTerm({ word, isBeginning }: SearchWord): string {
  const terms = spellLigatures(word).map((it) => isBeginning ? `${it}:*` : it);
  return terms.length > 1 ? `(${terms.join(" | ")})` : terms.join();
}
