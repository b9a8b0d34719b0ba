import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { PageRequest, SortDirection } from "#src/kernel/page.ts";
import { constantSql } from "./constant_sql.ts";
import { isBehind, type Place } from "./place.ts";
import type { Search } from "./search.ts";
import { type SortKey, sqlOf } from "./sort_key.ts";

export interface List {
  readonly table: PgTable;
  readonly where?: SQL | undefined;
  /** Words, each in a text of every row; beside `where`. */
  readonly search?: Search | undefined;
  /** Values, one of which every row has; beside `where`. An index of this column and `keys` has the rows of each in order. */
  readonly among?: Among | undefined;
  /** No index has the rows of `where` side by side in this order, but at most those of `within`, a part of `where`. */
  readonly isScattered?: boolean;
  readonly within?: SQL | undefined;
  readonly id: PgColumn;
  /** Unique together. Only the first may be null; rows without it come last in either direction. */
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

interface Among {
  readonly column: PgColumn;
  readonly values: readonly string[];
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

export function idsOf(list: List, { where, place, limit, offset }: Part): SQL {
  const { order, named } = orderOf(list);
  const { among } = list;
  const all = and(list.where, where, place && isBehind(list, place));
  const end = sql`${most(limit)}${offset ? sql` offset ${offset}` : undefined}`;
  if (!among) return sql`(${selected(list, sql``, all)} order by ${order} ${end}) hits`;
  // The rows of each value come in their order, and no more of them than the page may need.
  const ofEach = [...new Set(among.values)].map((value) =>
    sql`(${selected(list, sql`, ${named.keys}`, and(eq(among.column, value), all))}
      order by ${order} ${most(limit + offset)})`
  );
  return sql`(select id from (${
    sql.join(ofEach, sql` union all `)
  }) it order by ${named.order} ${end}) hits`;
}

function selected({ id, table }: List, more: SQL, where: SQL | undefined): SQL {
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
  /** The keys as columns of a subquery, `k0` the first, and the orders of those. */
  readonly named: { readonly keys: SQL; readonly order: SQL; readonly withNulls: SQL };
}
const ORDERS = {
  asc: new WeakMap<readonly SortKey[], Order>(),
  desc: new WeakMap<readonly SortKey[], Order>(),
};

/** Written once for each order. */
export function orderOf({ keys, sortDir }: Pick<List, "keys" | "sortDir">): Order {
  const known = ORDERS[sortDir].get(keys);
  if (known) return known;
  const direction = sortDir === "asc" ? asc : desc;
  const texts = keys.map((key) => sql`${sqlOf(key)}::text`);
  const inOrder = keys.map((_, i) => `k${i} ${sortDir}`);
  const parts = keys.map((key) => direction(sqlOf(key)));
  const made = {
    order: constantSql(sql.join(parts, sql`, `)),
    withNulls: constantSql(sql.join(parts.map((it) => sql`${it} nulls last`), sql`, `)),
    position: constantSql(sql<string>`json_build_array(${sql.join(texts, sql`, `)})::text`),
    named: {
      keys: constantSql(
        sql.join(keys.map((key, i) => sql`${sqlOf(key)} as ${sql.raw(`k${i}`)}`), sql`, `),
      ),
      order: sql.raw(inOrder.join()),
      withNulls: sql.raw(inOrder.map((it) => `${it} nulls last`).join()),
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
function countable(list: List): SQL {
  const keys = list.among ? list.keys : list.countBy ?? list.keys;
  return idsOf({ ...list, keys, sortDir: "asc" }, { limit: limitOf(list) + 1, offset: 0 });
}

/** Rows are counted so far at least. */
const COUNTED = 1_000;

export function limitOf(list: List): number {
  return Math.max(COUNTED, offsetOf(list) + list.page.pageSize);
}

export function offsetOf({ page: { page, pageSize } }: List): number {
  return (page - 1) * pageSize;
}
