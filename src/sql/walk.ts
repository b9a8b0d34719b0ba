import { and, type SQL, sql } from "drizzle-orm";
import { inOrder, type List, orderOf, type Walk } from "./hits.ts";
import { type Place, rangesBehind } from "./place.ts";
import { sqlOf, typeOf } from "./sort_key.ts";

/** So many values are gone through at most: who has more of them has other ways. */
const VALUES = 500;
/** And so many rows are read: where some of the values have others before those that fit, or none that do, there are other ways. */
const READ = 10_000;

/**
 * The ids of a page where an index has rows that fit side by side for each value of the first key, as those of a month for each
 * company, or some of them at least, as those of a supplier for one company: from value to value, and of each no more than the page
 * takes. Rows without such a value are left out, and so is what follows the last value gone through. PostgreSQL takes a value only when
 * the page asks for another.
 */
export function walked(
  { walk, ...list }: List & { readonly walk: Walk },
  place: Place | undefined,
  { limit, offset }: { limit: SQL; offset: SQL },
): SQL {
  const { keys: [first], sortDir } = list;
  if (!first) throw new Error("A list without an order cannot be walked through");
  const { named } = orderOf(list);
  const key = sqlOf(first);
  const way = sql.raw(sortDir);
  const sign = sql.raw(sortDir === "asc" ? ">=" : "<=");
  const begin = place && sql` where value ${sign} ${place[0]}::${sql.raw(typeOf(first))}`;
  const behind = place && sql`(${sql.join(rangesBehind(list, place), sql` or `)})`;
  const ofValue = inOrder(
    list,
    {
      // PostgreSQL believes that few rows have a value, and would read and sort all that have it: a range is not believed to be that rare.
      where: and(
        walk.isWhole ? sql`${key} between walk.value and walk.value` : sql`${key} = walk.value`,
        walk.inside,
        behind,
      ),
      place: undefined,
      most: sql`limit (select ${sql.raw(String(READ))})`,
    },
    sql`, coalesce((${walk.others ?? sql`true`}), false) as fits`,
  );
  return sql`(select id from (
      select id, ${sql.raw(list.keys.map((_, i) => `k${i}`).join())} from (
        select it.* from (
          select distinct value from ${walk.values} own (value)${begin}
          order by value ${way} limit ${sql.raw(String(VALUES))}
        ) walk cross join lateral (${ofValue}) it limit (select ${sql.raw(String(READ))})
      ) it where fits limit ${limit} offset ${offset}
    ) it order by ${named.order}) hits`;
}
