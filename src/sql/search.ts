import { and, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { wordsIn } from "#drizzle/schema/expressions.ts";
import { likeAnywhere, wordsOf } from "#src/kernel/text.ts";

/** A shorter beginning fits too many words to be looked for. */
const SHORTEST_BEGINNING = 3;

/** A word that is looked for, or the beginning of one: `dup*`. */
export interface SearchWord {
  readonly word: string;
  readonly isBeginning: boolean;
}

/** Words that are all in a text of the column, which holds words as `wordsOf` makes them. */
export interface Search {
  readonly column: PgColumn;
  readonly words: readonly SearchWord[];
}

export function searchWordsIn(search: string): SearchWord[] {
  return onlyOnce(
    search.split(/\s+/).flatMap((part) => {
      const words = wordsOf(part);
      const isOpen = part.endsWith("*");
      return words.map((word, i) => ({
        word,
        isBeginning: isOpen && i === words.length - 1 && word.length >= SHORTEST_BEGINNING,
      }));
    }),
  );
}

/** What is said again is not read again in each row. */
function onlyOnce(words: readonly SearchWord[]): SearchWord[] {
  return [...new Map(words.map((it) => [between(it), it])).values()];
}

/**
 * That the text has every word of `search`, in any order, accents and case folded; one without a word finds nothing. The
 * column holds words as `wordsOf` makes them.
 */
export function hasWords(column: PgColumn, search: string): SQL {
  const words = searchWordsIn(search);
  return words.length ? isIndexed({ column, words }) : sql`false`;
}

/** The words of all these texts, as a list takes them; `where` finds nothing where one of them is without a word. */
export function searchFor(
  column: PgColumn,
  texts: readonly string[],
): { readonly search?: Search; readonly where?: SQL } {
  const words = texts.map(searchWordsIn);
  if (words.some((it) => !it.length)) return { where: sql`false` };
  return words.length ? { search: { column, words: onlyOnce(words.flat()) } } : {};
}

/** By the index of all words. */
export function isIndexed({ column, words }: Search): SQL {
  const query = words.map(({ word, isBeginning }) => isBeginning ? `${word}:*` : word).join(" & ");
  return sql`${wordsIn(column)} @@ ${query}::tsquery`;
}

/**
 * The same, read in the text itself: a quarter of the time of making words of it. PostgreSQL knows nothing of such a condition,
 * and always takes a third of all rows to fulfil it, so that it reads them in the order they are asked for.
 */
export function isRead({ column, words }: Search): SQL {
  const places = words.map((it) => sql`position(${between(it)} in ${padded(column)})`);
  return sql`least(${sql.join(places, sql`, `)}) > 0`;
}

/** The same again, which PostgreSQL takes for rare: beside `isIndexed` it has the index of words read, not the table. */
export function isRareAndRead({ column, words }: Search): SQL | undefined {
  return and(...words.map((it) => sql`${padded(column)} like ${likeAnywhere(between(it))}`));
}

/** The text of a column of words, each between blanks. */
export function padded(column: PgColumn): SQL {
  return sql`(' ' || ${column} || ' ')`;
}

/** As the word, or its beginning, stands in such a text. */
export function between({ word, isBeginning }: SearchWord): string {
  return isBeginning ? ` ${word}` : ` ${word} `;
}
