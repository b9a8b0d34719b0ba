import { and, asc, count, desc, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Counted, PageRequest, SortDirection } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import { isBehind, type Place, placeOf, refusedAs, tokenOf } from "./place.ts";
import { isNullable, type SortKey, sqlOf } from "./sort_key.ts";
import { constantSql } from "./constant_sql.ts";

export interface List {
  readonly table: PgTable;
  readonly where?: SQL | undefined;
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
}

/** The unique keys of a page's rows, to be joined with the list's table and whatever else a row shows. */
export interface Hits {
  readonly from: SQL;
  readonly id: SQL;
  /** To be selected with the rest. */
  readonly fields: { readonly position: SQL<string>; readonly total: SQL<number> };
  readonly order: SQL;
}

type Select<Row> = (hits: Hits) => PromiseLike<Row[]>;

/**
 * One page of a list. Its rows are found in the order of an index of `keys`, by number or `after` a place, and only those
 * of the page are read. Throws AppError `invalid` where `after` is no place of this list.
 */
export async function listPage<Row extends { position: string; total: number }>(
  db: Db,
  list: List,
  select: Select<Row>,
): Promise<Counted & { rows: Row[] }> {
  const { page, pageSize, after } = list.page;
  const place = after === undefined ? undefined : placeOf(list, after);
  try {
    const found = await findRows(db, { list, place }, select);
    const rows = found.slice(0, pageSize);
    const last = found.length > pageSize ? rows.at(-1) : undefined;
    const total = rows[0]?.total ?? (page === 1 && !place ? 0 : await askTotal(db, list));
    return { rows, ...counted(list, total), next: last ? tokenOf(list, last.position) : null };
  } catch (error) {
    throw place ? refusedAs(error) : error;
  }
}

/**
 * One row more than the page tells that more follow. An index has the rows without a value at one end only, so they are
 * asked for by themselves, after the others.
 */
async function findRows<Row>(
  db: Db,
  { list, place }: { list: List; place: Place | undefined },
  select: Select<Row>,
): Promise<Row[]> {
  const [first] = list.keys;
  const limit = list.page.pageSize + 1;
  const offset = place ? 0 : offsetOf(list);
  const ask = (part: Part) => select(hitsOf(list, part));
  if (!isNullable(first)) return await ask({ place, limit, offset });
  const withValue = { where: isNotNull(sqlOf(first)), place, limit, offset };
  const rows = place?.[0] === null ? [] : await ask(withValue);
  if (rows.length === limit) return rows;
  const isPassed = rows.length === 0 && offset > 0;
  const passed = isPassed
    ? await askCount(db, idsOf(list, { ...withValue, limit: offset, offset: 0 }))
    : offset;
  return [
    ...rows,
    ...await ask({
      where: isNull(sqlOf(first)),
      place: place?.[0] === null ? place : undefined,
      limit: limit - rows.length,
      offset: offset - passed,
    }),
  ];
}

interface Part {
  readonly where?: SQL | undefined;
  readonly place?: Place | undefined;
  readonly limit: number;
  readonly offset: number;
}

function hitsOf(list: List, part: Part): Hits {
  const { order, position } = orderOf(list);
  return {
    from: idsOf(list, part),
    id: HIT,
    fields: {
      position,
      total: list.total ?? sql<number>`(select count(*)::int from ${countable(list)})`,
    },
    order,
  };
}

const HIT = sql.raw("hits.id");

/** A usual limit stands in the statement, so that the server plans it once for all calls. */
function idsOf(list: List, { where, place, limit, offset }: Part): SQL {
  const all = and(list.where, where, place && isBehind(list, place));
  const from = sql`select ${list.id} as id from ${list.table}${all && sql` where ${all}`}`;
  const { order } = orderOf(list);
  const start = offset ? sql` offset ${offset}` : undefined;
  const most = limit <= COUNTED + 1 ? sql.raw(String(Math.trunc(limit))) : sql`${limit}`;
  return sql`(${from} order by ${order} limit ${most}${start}) hits`;
}

interface Order {
  readonly order: SQL;
  readonly position: SQL<string>;
}
const ORDERS = {
  asc: new WeakMap<readonly SortKey[], Order>(),
  desc: new WeakMap<readonly SortKey[], Order>(),
};

/** Written once for each order. */
function orderOf({ keys, sortDir }: Pick<List, "keys" | "sortDir">): Order {
  const known = ORDERS[sortDir].get(keys);
  if (known) return known;
  const direction = sortDir === "asc" ? asc : desc;
  const texts = keys.map((key) => sql`${sqlOf(key)}::text`);
  const made = {
    order: constantSql(sql.join(keys.map((key) => direction(sqlOf(key))), sql`, `)),
    position: constantSql(sql<string>`json_build_array(${sql.join(texts, sql`, `)})::text`),
  };
  ORDERS[sortDir].set(keys, made);
  return made;
}

/** In the order of an index, which is read no further than is counted. */
function countable(list: List): SQL {
  return idsOf({ ...list, keys: list.countBy ?? list.keys, sortDir: "asc" }, {
    limit: limitOf(list) + 1,
    offset: 0,
  });
}

function limitOf(list: List): number {
  return Math.max(COUNTED, offsetOf(list) + list.page.pageSize);
}

/** Rows are counted so far at least. */
const COUNTED = 1_000;

function offsetOf({ page: { page, pageSize } }: List): number {
  return (page - 1) * pageSize;
}

async function askTotal(db: Db, list: List): Promise<number> {
  if (!list.total) return await askCount(db, countable(list));
  const [row] = await db.select({ total: list.total }).from(sql`(values (1)) as it`);
  return row?.total ?? 0;
}

async function askCount(db: Db, rows: SQL): Promise<number> {
  const [row] = await db.select({ n: count() }).from(rows);
  return row?.n ?? 0;
}

function counted(list: List, total: number): Pick<Counted, "total" | "totalIsCapped"> {
  const limit = limitOf(list);
  const totalIsCapped = !list.total && total > limit;
  return { total: totalIsCapped ? limit : total, totalIsCapped };
}
