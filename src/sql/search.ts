import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { wordsIn } from "#drizzle/schema/expressions.ts";
import { wordsOf } from "#src/kernel/text.ts";

/** A shorter beginning fits too many words to be looked for. */
const SHORTEST_BEGINNING = 3;

/** A word that is looked for, or the beginning of one: `dup*`. */
interface SearchWord {
  readonly word: string;
  readonly isBeginning: boolean;
}

export function searchWordsIn(search: string): SearchWord[] {
  return search.split(/\s+/).flatMap((part) => {
    const words = wordsOf(part);
    const isOpen = part.endsWith("*");
    return words.map((word, i) => ({
      word,
      isBeginning: isOpen && i === words.length - 1 && word.length >= SHORTEST_BEGINNING,
    }));
  });
}

/**
 * That the text has every word of `search`, in any order, accents and case folded; one without a word finds nothing. The
 * column holds words as `wordsOf` makes them.
 */
export function hasWords(column: PgColumn, search: string): SQL {
  const sought = searchWordsIn(search);
  if (!sought.length) return sql`false`;
  const query = sought.map(({ word, isBeginning }) => isBeginning ? `${word}:*` : word).join(" & ");
  return sql`${wordsIn(column)} @@ ${query}::tsquery`;
}
