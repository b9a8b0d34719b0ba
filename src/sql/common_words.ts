import { sql } from "drizzle-orm";
import { type Db, rowsOf } from "#src/ports/db.ts";
import type { List } from "./hits.ts";
import { between, padded, type Search, type SearchWord } from "./search.ts";

/** Rows that are looked at of either end of the table. */
const LOOKED_AT = 50;
/** What as many of either have is found, and counted, sooner in the order of the list. */
const COMMON = 10;

export interface Rarest {
  readonly words: readonly SearchWord[];
  /** None of the rows that were looked at has them. */
  readonly areUnseen: boolean;
}

/**
 * The words that the fewest of the oldest and of the newest rows have; undefined where every word is common. The index of words
 * is asked for these alone: of a word that all rows have it takes many times as long as all the rows of a rare one take to be
 * read. PostgreSQL's own choice goes by a sample it takes now and then, and by costs that lie near to each other.
 */
export async function rarestWords(
  db: Db,
  { table, id }: Pick<List, "id" | "table">,
  { column, words }: Search,
): Promise<Rarest | undefined> {
  const end = (way: "asc" | "desc") =>
    sql`(select '${sql.raw(way)}' as way, ${padded(column)} as t from ${table}
      order by ${id} ${sql.raw(way)} limit ${sql.raw(String(LOOKED_AT))})`;
  const has = words.map((it) => sql`(position(${between(it)} in t) > 0)::int`);
  const counts = has.map((it) =>
    sql`array[sum(${it}) filter (where way = 'asc'), sum(${it}) filter (where way = 'desc')]`
  );
  const [row] = rowsOf<{ counts: string }>(
    await db.execute(sql`select to_json(array[${sql.join(counts, sql`, `)}])::text as counts
      from (${end("asc")} union all ${end("desc")}) it`),
  );
  const found: (readonly [number, number])[] = JSON.parse(row?.counts ?? "[]");
  if (found.every((ends) => Math.min(...ends) >= COMMON)) return undefined;
  const sums = found.map(([oldest, newest]) => oldest + newest);
  const least = Math.min(...sums);
  return { words: words.filter((_, i) => sums[i] === least), areUnseen: least === 0 };
}
