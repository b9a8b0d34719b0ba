import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, ExtraConfigColumn } from "drizzle-orm/pg-core";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";

type Column = AnyPgColumn | ExtraConfigColumn;

/**
 * Returns the sort key of a text. An index accepts entries of at most 2.7 kB, while texts of documents have
 * no limit.
 */
export function beginning(column: Column): SQL {
  return sql`left(${column}, 100)`;
}

/**
 * Returns the sort key of a name: lower case without accents. It is compared by bytes, so that every server
 * sorts alike.
 */
export function nameKey(column: Column): SQL {
  return sql`(left(${foldedText(column)}, 100) collate "C")`;
}

/** Returns a text in lower case without accents. */
export function foldedText(column: Column | SQL): SQL {
  return sql`lower(regexp_replace(normalize(${column}, NFD), '[\\u0300-\\u036f]+', '', 'g'))`;
}

/** The words of a text that holds nothing but words and blanks, as a text search finds them. */
export function wordsIn(column: Column): SQL {
  return sql`array_to_tsvector(array_remove(string_to_array(${column}, ' '), ''))`;
}

const CREDIT_NOTE_TYPES = sql.raw([...CREDIT_NOTES].map((it) => `'${it}'`).join(", "));

/** Returns an amount of an invoice that is negative for a credit note, whose amounts are positive as written. */
export function signAmount(amount: Column, type: Column): SQL {
  return sql`(case when ${type} in (${CREDIT_NOTE_TYPES}) then -abs(${amount}) else ${amount} end)`;
}

/** Returns the rank of a level: 1 INFO … 4 FATAL. */
export function getGravity(column: Column): SQL<number> {
  return sql`array_position('{INFO,WARNING,ERROR,FATAL}'::text[], ${column})`;
}

/** Returns the last segment of a path. */
export function fileName(column: Column): SQL<string> {
  return sql`regexp_replace(${column}, '^.*/', '')`;
}
