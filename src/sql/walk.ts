import { and, type SQL, sql } from "drizzle-orm";
import { inOrder, type List, orderOf } from "./hits.ts";
import { type Place, rangesBehind } from "./place.ts";
import { sqlOf, typeOf } from "./sort_key.ts";

/** So many values are gone through at most: who has more of them has other ways. */
const VALUES = 500;

/**
 * The ids of a page where an index has the rows that fit side by side for each value of the first key, as those of a month for
 * each company: from value to value, and of each no more than the page takes. Rows without such a value are left out, and so is
 * what follows the last value gone through. PostgreSQL takes a value only when the page asks for another.
 */
export function walked(
  list: List,
  place: Place | undefined,
  { limit, offset }: { limit: SQL; offset: SQL },
): SQL {
  const { keys: [first], sortDir, table, within, where } = list;
  if (!first) throw new Error("A list without an order cannot be walked through");
  const { named } = orderOf(list);
  const key = sql`${sqlOf(first)}`;
  const way = sql.raw(sortDir);
  const sign = sql.raw(sortDir === "asc" ? ">" : "<");
  const next = (where: SQL | undefined) =>
    sql`select ${key} from ${table} where ${and(within, where)} order by ${key} ${way} limit 1`;
  const begin = place
    ? sql`${key} ${sign}= ${place[0]}::${sql.raw(typeOf(first))}`
    : sql`${key} is not null`;
  const behind = place && sql`(${sql.join(rangesBehind(list, place), sql` or `)})`;
  const ofValue = inOrder(list, {
    where: and(sql`${key} = walk.value`, where, behind),
    place: undefined,
    most: sql`limit (${limit} + ${offset})`,
  });
  return sql`(with recursive walk (value, n) as (
      (select it.*, 1 from (${next(begin)}) it) union all
      select (${next(sql`${key} ${sign} walk.value`)}), n + 1 from walk
      where value is not null and n < ${sql.raw(String(VALUES))}
    ) select id from (
      select it.* from walk cross join lateral (${ofValue}) it limit ${limit} offset ${offset}
    ) it order by ${named.order}) hits`;
}
