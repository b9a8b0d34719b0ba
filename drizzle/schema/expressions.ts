import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, ExtraConfigColumn } from "drizzle-orm/pg-core";

type Column = AnyPgColumn | ExtraConfigColumn;

/** What a text is sorted by. An index takes no entry of more than 2.7 kB, and a document's texts have no limit. */
export function beginning(column: Column): SQL {
  return sql`left(${column}, 100)`;
}

/** What a name is sorted by: lower case without accents, by the bytes of its letters, so that every server sorts alike. */
export function nameKey(column: Column): SQL {
  return sql`(left(lower(regexp_replace(normalize(${column}, NFD), '[\\u0300-\\u036f]+', '', 'g')), 100) collate "C")`;
}

/** A name made by `nameKey`, in its order. */
export function byBytes(column: Column): SQL {
  return sql`(${column} collate "C")`;
}

/** The words of a text that holds nothing but words and blanks, as a text search finds them. */
export function wordsIn(column: Column): SQL {
  return sql`array_to_tsvector(array_remove(string_to_array(${column}, ' '), ''))`;
}

/** 1 INFO … 4 FATAL. */
export function gravityOf(column: Column): SQL<number> {
  return sql`array_position('{INFO,WARNING,ERROR,FATAL}'::text[], ${column})`;
}

/** The last segment of a path. */
export function fileName(column: Column): SQL<string> {
  return sql`regexp_replace(${column}, '^.*/', '')`;
}
