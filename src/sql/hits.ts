import { and, asc, desc, eq, is, SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { PageRequest, SortDirection } from "#src/kernel/page.ts";
import { constantSql } from "./constant_sql.ts";
import { type Place, rangesBehind } from "./place.ts";
import type { Search } from "./search.ts";
import { type SortKey, sqlOf } from "./sort_key.ts";

export interface List {
  readonly table: PgTable;
  readonly where?: SQL | undefined;
  /** Words, each in a text of every row; beside `where`. */
  readonly search?: Search | undefined;
  /** What every row of `where` meets, and by which an index has them where their words are all common ones. */
  readonly sought?: SQL | undefined;
  /** Values, one of which every row has; beside `where`. An index of this column has the rows of each in the order of `keys`. Of a
   * scattered list they are all there are. */
  readonly among?: Among | undefined;
  /** No index has the rows of `where` side by side in this order, but at most those of `within`, a part of `where`. */
  readonly isScattered?: boolean;
  /** But the index of this order tells which of its rows fit, so that the others are not read. */
  readonly isTold?: boolean;
  readonly within?: SQL | undefined;
  /** Every row of `within` has the same first key. */
  readonly isFirstFixed?: boolean;
  /** Nor side by side at all, but those of each value of the first key. */
  readonly walk?: Walk | undefined;
  readonly id: PgColumn;
  /** Unique together. Rows without the first come last in either direction, those without another where an index has them. */
  readonly keys: readonly SortKey[];
  /** The name of the order on the wire. */
  readonly sortBy: string;
  readonly sortDir: SortDirection;
  readonly page: PageRequest;
  /** The order in which rows are counted, where an index of it suits more filters than `keys`. */
  readonly countBy?: readonly SortKey[];
  /** How many rows there are, as a scalar subquery; without it they are counted. */
  readonly total?: SQL<number> | undefined;
  /** It has more rows than are counted. */
  readonly isLong?: boolean;
}

export interface Walk {
  /** Each value of the first key that rows of `where` have, in a column `value`, and perhaps others. */
  readonly values: SQL;
  /** The part of `where` by which an index has the rows of one value side by side, and the part that is read. */
  readonly inside?: SQL | undefined;
  readonly others?: SQL | undefined;
  /** Nothing of `inside` follows the first key in that index. */
  readonly isWhole?: boolean;
}

interface Among {
  readonly column: PgColumn;
  /** Or rows of one column. */
  readonly values: readonly string[] | SQL;
  /** That some row has; with fewer, the rows of no others are asked for. */
  readonly areAll?: boolean;
}

/** The unique keys of a page's rows, to be joined with the list's table and whatever else a row shows. */
export interface Hits {
  readonly from: SQL;
  readonly id: SQL;
  /** To be selected with the rest. */
  readonly fields: { readonly position: SQL<string>; readonly total: SQL<number> };
  readonly order: SQL;
}

/** What `listPage` is given to read the rows of a page. */
export type Select<Row> = (hits: Hits) => PromiseLike<Row[]>;

export interface Part {
  readonly where?: SQL | undefined;
  readonly place?: Place | undefined;
  readonly limit: number;
  readonly offset: number;
}

export const HIT = sql.raw("hits.id");

export function hitsOf(list: List, part: Part): Hits {
  const { order, position } = orderOf(list);
  return {
    from: idsOf(list, part),
    id: HIT,
    fields: { position, total: totalOf(list) },
    order,
  };
}

/** The rows of a part, of all values together; in any order where they are only counted. */
export function idsOf(list: List, part: Part, { isCounted = false } = {}): SQL {
  const { order, named } = orderOf(list);
  const { limit, offset, place } = part;
  const end = sql`${most(limit)}${offset ? sql` offset ${offset}` : undefined}`;
  const where = and(list.where, part.where);
  if (!list.among && !place) {
    return sql`(${selected(list, sql``, where)} order by ${order} ${end}) hits`;
  }
  const rows = inOrder(list, { where, place, most: most(limit + offset), isCounted });
  const inAll = isCounted ? undefined : sql`order by ${named.order}`;
  return sql`(select id from (${rows}) it ${inAll} ${end}) hits`;
}

/**
 * Rows with their keys (`k0` the first) and what else of them is asked for, those that follow a place, in the order of the list,
 * and no more of each value or range than are asked for. PostgreSQL merges them, and reads of each as far as it comes.
 */
export function inOrder(
  list: List,
  { where, place, most, isCounted = false }: Pick<Part, "place" | "where"> & {
    readonly most: SQL;
    readonly isCounted?: boolean;
  },
  more: SQL = sql``,
): SQL {
  const { order, named } = orderOf(list);
  const { among } = list;
  const ranges = place ? rangesBehind(list, place) : [undefined];
  const union = (values: readonly (SQL | undefined)[]) => {
    const ofEach = values.flatMap((value) =>
      ranges.map((range) =>
        sql`${selected(list, sql`, ${named.keys}${more}`, and(value, where, range))}
          order by ${order} ${most}`
      )
    );
    const [only] = ofEach;
    if (only && ofEach.length === 1) return only;
    const all = sql.join(ofEach.map((it) => sql`(${it})`), sql` union all `);
    return sql`select * from (${all}) ranges ${inAll} ${most}`;
  };
  const inAll = isCounted ? undefined : sql`order by ${named.order}`;
  if (!among) return union([undefined]);
  const { column, values } = among;
  if (!is(values, SQL)) return union([...new Set(values)].map((it) => eq(column, it)));
  return sql`select it.* from ${values} v (value)
    cross join lateral (${union([eq(column, sql.raw("v.value"))])}) it ${inAll} ${most}`;
}

/** The rows of the list's table, their ids and what `more` asks for; in any order. */
export function selected({ id, table }: List, more: SQL, where: SQL | undefined): SQL {
  return sql`select ${id} as id${more} from ${table}${where && sql` where ${where}`}`;
}

/** A usual limit stands in the statement, so that the server plans it once for all calls. */
function most(limit: number): SQL {
  return sql`limit ${limit <= COUNTED + 1 ? sql.raw(String(Math.trunc(limit))) : limit}`;
}

interface Order {
  readonly order: SQL;
  /** The same of all rows together, those without a value of the first key last. */
  readonly withNulls: SQL;
  readonly position: SQL<string>;
  /** The keys as columns of a subquery, `k0` the first, and the orders of those, `others` without the first. */
  readonly named: Readonly<Record<"keys" | "order" | "others" | "withNulls", SQL>>;
}
const ORDERS = {
  asc: new WeakMap<readonly SortKey[], Order>(),
  desc: new WeakMap<readonly SortKey[], Order>(),
};

/** Written once for each order. An index, read from its end, has rows without a value first, so only the first key says more. */
export function orderOf({ keys, sortDir }: Pick<List, "keys" | "sortDir">): Order {
  const known = ORDERS[sortDir].get(keys);
  if (known) return known;
  const direction = sortDir === "asc" ? asc : desc;
  const texts = keys.map((key) => sql`${sqlOf(key)}::text`);
  const namedParts = keys.map((_, i) => `k${i} ${sortDir}`);
  const parts = keys.map((key) => direction(sqlOf(key)));
  const [first, ...others] = parts;
  const [namedFirst, ...namedOthers] = namedParts;
  const made = {
    order: constantSql(sql.join(parts, sql`, `)),
    withNulls: constantSql(sql.join([sql`${first} nulls last`, ...others], sql`, `)),
    position: constantSql(sql<string>`json_build_array(${sql.join(texts, sql`, `)})::text`),
    named: {
      keys: constantSql(
        sql.join(keys.map((key, i) => sql`${sqlOf(key)} as ${sql.raw(`k${i}`)}`), sql`, `),
      ),
      order: sql.raw(namedParts.join()),
      others: sql.raw(namedOthers.join()),
      withNulls: sql.raw([`${namedFirst} nulls last`, ...namedOthers].join()),
    },
  };
  ORDERS[sortDir].set(keys, made);
  return made;
}

export function totalOf(list: List): SQL<number> {
  if (list.total) return list.total;
  if (list.isLong) return sql.raw(String(limitOf(list) + 1)) as SQL<number>;
  return sql<number>`(select count(*)::int from ${countable(list)})`;
}

/** In the order of an index, which is read no further than is counted. */
function countable({ among, ...list }: List): SQL {
  const some = among?.areAll ? undefined : among;
  const keys = some ? list.keys : list.countBy ?? list.keys;
  const part = { limit: limitOf(list) + 1, offset: 0 };
  return idsOf({ ...list, among: some, keys, sortDir: "asc" }, part, { isCounted: true });
}

/** Rows are counted so far at least. */
const COUNTED = 1_000;

export function limitOf(list: List): number {
  return Math.max(COUNTED, offsetOf(list) + list.page.pageSize);
}

export function offsetOf({ page: { page, pageSize } }: List): number {
  return (page - 1) * pageSize;
}
