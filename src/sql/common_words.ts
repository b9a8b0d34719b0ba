import { getTableName, sql } from "drizzle-orm";
import { type Db, rowsOf } from "#src/ports/db.ts";
import type { List } from "./hits.ts";
import { between, padded, type Search, type SearchWord } from "./search.ts";

/** Rows that are looked at of either end of the table. */
const LOOKED_AT = 50;
/** What as many of either have is found, and counted, sooner in the order of the list. */
const COMMON = 10;

export interface Rarest {
  readonly words: readonly SearchWord[];
  /** Of how many of the rows that were looked at each is one. */
  readonly seen: number;
}

/** Of how many of the oldest and of the newest rows a word is one. */
type Ends = readonly [oldest: number, newest: number];

/** What was found is believed for as long; of so many words at most. */
const BELIEVED_MS = 60_000;
const MOST_KEPT = 1_000;
/** By the connection, then by column and word. */
const kept = new WeakMap<Db, Map<string, { readonly ends: Ends; readonly until: number }>>();

/**
 * The words that the fewest of the oldest and of the newest rows have; undefined where every word is common. The index of words
 * is asked for these alone: of a word that all rows have it takes many times as long as all the rows of a rare one take to be
 * read. PostgreSQL's own choice goes by a sample it takes now and then, and by costs that lie near to each other.
 */
export async function rarestWords(
  db: Db,
  list: Pick<List, "id" | "table">,
  search: Search,
): Promise<Rarest | undefined> {
  const { words } = search;
  const found = await endsOf(db, list, search);
  if (found.every((ends) => Math.min(...ends) >= COMMON)) return undefined;
  const sums = found.map(([oldest, newest]) => oldest + newest);
  const least = Math.min(...sums);
  return { words: words.filter((_, i) => sums[i] === least), seen: least };
}

/** Of each word; those of the last minute as they were. */
async function endsOf(
  db: Db,
  list: Pick<List, "id" | "table">,
  { column, words }: Search,
): Promise<Ends[]> {
  const known = kept.get(db) ?? new Map();
  kept.set(db, known);
  const now = Date.now();
  const found = words.map((it) => {
    const key = `${getTableName(column.table)} ${column.name} ${between(it)}`;
    const { ends, until } = known.get(key) ?? { until: 0 };
    return { word: it, key, ends: until > now ? ends : undefined };
  });
  const unknown = found.filter((it) => !it.ends);
  if (!unknown.length) return found.flatMap(({ ends }) => ends ? [ends] : []);
  const counted = await countEnds(db, list, { column, words: unknown.map(({ word }) => word) });
  if (known.size + unknown.length > MOST_KEPT) known.clear();
  unknown.forEach((it, i) => {
    it.ends = counted[i] ?? [0, 0];
    known.set(it.key, { ends: it.ends, until: now + BELIEVED_MS });
  });
  return found.map(({ ends }) => ends ?? [0, 0]);
}

async function countEnds(
  db: Db,
  { table, id }: Pick<List, "id" | "table">,
  { column, words }: Search,
): Promise<Ends[]> {
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
  return JSON.parse(row?.counts ?? "[]");
}
