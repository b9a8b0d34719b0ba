import { and, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Db, rowsOf } from "#src/ports/db.ts";
import { type Rarest, rarestWords } from "./common_words.ts";
import {
  HIT,
  inOrder,
  limitOf,
  type List,
  offsetOf,
  orderOf,
  type Select,
  selected,
  totalOf,
  type Walk,
} from "./hits.ts";
import { type Place, rangesBehind } from "./place.ts";
import { isIndexed, isRareAndRead, isRead } from "./search.ts";
import { isNullable, sqlOf } from "./sort_key.ts";
import { walked } from "./walk.ts";

export interface Asked {
  readonly list: List;
  readonly place: Place | undefined;
}

interface Ways {
  readonly read: Asked;
  readonly all: Asked;
  readonly rarest?: Rarest | undefined;
}

/** The rows of the page and one more, which tells that more follow. */
export interface Found<Row> {
  readonly rows: Row[];
  readonly total: number;
}

/** As many rows are found by the filter and sorted, first and at last. */
const SOME = 10_000;
const MANY = 50_000;
/** First by a word that one of the rows looked at has, and that more of them have: in order a page is found sooner. */
const FEW_OF_ONE = 5_000;
const FEW = 2_000;
/** As many rows are read in the order of the list in the hope of a page, first and at last. */
const NEXT = 3_000;
const NEAR = 10_000;
/** First, where counts tell that they are more than a few: as many as one in a hundred takes to fill a page. */
const NEXT_OF_MANY = 6_000;
/** Rows without a value of the first key as well, as many again. */
const LAST = { withLast: true };

/**
 * Rows that no index has side by side in the order of the list, and those with words. PostgreSQL would choose between that order
 * and an index of the filter by what it believes of their number and of how they lie, and its mistakes cost a thousand times what
 * the page does. Here each way is left for the other once it goes further than it is worth: the next rows in order, all that fit if they
 * are few, more rows in order where so many of the first fit that these will fill the page, and all that fit; where their number is
 * kept, or one of the words is rare, that says with which to begin.
 * Undefined where none of these is enough, and for a page of so high a number that what comes before it is most of the work.
 */
export async function scatteredRows<Row extends { total: number }>(
  db: Db,
  { read, all, rarest }: Ways,
  select: Select<Row>,
): Promise<Found<Row> | undefined> {
  if (!rarest && isBeyond(read, NEXT)) return undefined;
  const { total } = read.list;
  const kept = total && await askTotal(db, total);
  if (kept === 0) return { rows: [], total: 0 };
  const { walk } = read.list;
  if (walk && !rarest && (kept === undefined || kept > FEW)) {
    const page = await fromValueToValue(
      { list: { ...read.list, walk }, place: read.place },
      select,
    );
    if (page) return page;
  }
  const sortedAll = async (most: number) => {
    // By a word they are read to be counted; others an index counts in a tenth of the time.
    if (rarest) return await sorted(db, all, most, select);
    const n = kept ?? await askCount(db, idsUpTo(all, most + 1));
    return n <= most ? await sortedOf(all, n, select) : undefined;
  };
  const near = async (asked: Asked) =>
    (await amongNext(asked, NEAR, select)).page ??
      (await isOver(db, asked, NEAR)
        ? (await amongNext(asked, NEAR, select, LAST)).page
        : undefined);
  const nearOfMany = () => near({ ...read, list: { ...read.list, isLong: kept === undefined } });
  if (rarest) {
    return await sortedAll(firstFound(rarest)) ?? await nearOfMany() ??
      (limitOf(read.list) < MANY ? await sortedAll(MANY) : undefined);
  }
  const isFew = kept !== undefined && kept <= FEW && !read.list.isFirstFixed;
  if (isFew || read.list.isTold) return await sortedAll(MANY);
  const most = kept === undefined ? NEXT : NEXT_OF_MANY;
  const next = await amongNext(read, most, select);
  if (next.page) return next.page;
  // About as many fit of the rows that follow.
  const isNear = next.fitting * NEAR >= read.list.page.pageSize * most;
  return isNear
    ? await sortedAll(FEW) ?? await near(read) ?? await sortedAll(MANY)
    : await sortedAll(MANY) ?? await nearOfMany();
}

function firstFound(rarest: Rarest | undefined): number {
  if (!rarest?.seen) return SOME;
  return rarest.seen === 1 ? FEW_OF_ONE : FEW;
}

function idsUpTo({ list }: Asked, n: number): SQL {
  return sql`${selected(list, sql``, list.where)} limit ${whole(n)}`;
}

/**
 * How rows are read in order, and how all that fit are found: by the index of words for the rarest of them, the others read as
 * well, and by that of another filter, or by what is sought, where every word is common.
 */
export async function waysTo(db: Db, { list: { search, ...list }, place }: Asked): Promise<Ways> {
  if (!search) return { read: { list, place }, all: { list, place } };
  const rarest = await rarestWords(db, list, search);
  const walk = list.walk && { ...list.walk, others: and(list.walk.others, isRead(search)) };
  const read = { list: { ...list, walk, where: and(list.where, isRead(search)) }, place };
  if (!rarest && list.where) {
    const where = and(read.list.where, list.sought);
    return { read, all: { list: { ...read.list, where }, place } };
  }
  const words = rarest?.words ?? search.words;
  const others = search.words.filter((it) => !words.includes(it));
  const indexed = and(
    isIndexed({ ...search, words }),
    isRareAndRead({ ...search, words: others.length ? others : words.slice(0, 1) }),
    list.where && sql`(${list.where}) is true`, // so that no index is read for it as well
  );
  return { read, all: { list: { ...list, where: indexed }, place }, rarest };
}

/** A page of so high a number that as many rows do not reach its end. */
function isBeyond({ list, place }: Asked, most: number): boolean {
  return !place && offsetOf(list) + list.page.pageSize >= most;
}

/** How many there are, where a statement asks for nothing else. */
export async function askTotal(db: Db, total: SQL<number>): Promise<number> {
  const [row] = rowsOf<{ n: number }>(await db.execute(sql`select ${total} as n`));
  return row?.n ?? 0;
}

/** Whether the next rows were all that have a value: those without one follow, in an order of their own. */
async function isOver(db: Db, { list, place }: Asked, most: number): Promise<boolean> {
  if (!isNullable(list.keys[0]) || place?.[0] === null) return false;
  const where = and(list.within, hasValue(list, place));
  const next = inOrder(list, { where, place, most: sql`limit ${whole(most)}` });
  return await askCount(db, next) < most;
}

function hasValue({ keys: [first] }: List, place: Place | undefined): SQL | undefined {
  if (!isNullable(first)) return undefined;
  return place?.[0] === null ? isNull(sqlOf(first)) : isNotNull(sqlOf(first));
}

/** From value to value of the first key; undefined where that does not fill the page. */
async function fromValueToValue<Row extends { total: number }>(
  { list, place }: Asked & { readonly list: { readonly walk: Walk } },
  select: Select<Row>,
): Promise<Found<Row> | undefined> {
  if (place?.[0] === null) return undefined;
  const { order, position } = orderOf(list);
  const [limit, offset] = windowOf(list, place);
  const rows = await select({
    from: walked(list, place, { limit, offset }),
    id: HIT,
    fields: { position, total: totalOf(list) },
    order,
  });
  const [row] = rows;
  return row && rows.length > list.page.pageSize ? { rows, total: row.total } : undefined;
}

/** Those that fit of the next rows in the order of the list, `most` at most: the page, or how many they are where they do not fill it. */
async function amongNext<Row extends { total: number }>(
  { list, place }: Asked,
  most: number,
  select: Select<Row>,
  { withLast } = { withLast: false },
): Promise<{ readonly page?: Found<Row>; readonly fitting: number }> {
  if (isBeyond({ list, place }, most)) return { fitting: 0 };
  const { position, named, ...orders } = orderOf(list);
  const order = withLast ? orders.withNulls : orders.order;
  // PostgreSQL would not see that rows of one first key are in order already, and sort all of them.
  const namedOrder = withLast ? named.withNulls : list.isFirstFixed ? named.others : named.order;
  const { id, table, within } = list;
  const fits = list.where ?? sql`true`;
  const more = within ? undefined : sql`, ${fits} as fits`;
  const part = (where: SQL | undefined, after = place) =>
    inOrder(
      list,
      { where: and(within, where), place: after, most: sql`limit ${whole(most)}` },
      more,
    );
  const valued = part(hasValue(list, place));
  const next = withLast
    ? sql`(${valued}) union all (${part(hasValue(list, [null]), undefined)})`
    : valued;
  // Of those of `within` the index tells all but whether they fit: the rows themselves would be had cheaper by another order.
  const isFit = within ? sql`(select ${fits} from ${table} where ${id} = it.id)` : sql`fits`;
  const [limit, start] = windowOf(list, place);
  const rows = await select({
    from: sql`(with page as materialized (
        select id from (${next}) it where ${isFit} order by ${namedOrder} limit ${limit} offset ${start}
      ) select id, (select count(*) from page) = ${limit} as is_full from page) hits`,
    id: HIT,
    fields: {
      position,
      total: sql<number>`case when hits.is_full then ${totalOf(list)} else 0 end`,
    },
    order,
  });
  const [row] = rows;
  const isFull = row && rows.length > list.page.pageSize;
  return isFull
    ? { page: { rows, total: row.total }, fitting: rows.length }
    : { fitting: rows.length };
}

/** Of all `total` rows that fit. They are found first: nothing is gained by an order that has them far apart. */
async function sortedOf<Row extends { total: number }>(
  { list, place }: Asked,
  total: number,
  select: Select<Row>,
): Promise<Found<Row>> {
  const { position, named, withNulls } = orderOf(list);
  const where = and(list.where, place && isBehindOrWithout(list, place));
  const found = selected(list, sql`, ${named.keys}`, where);
  const [limit, start] = windowOf(list, place);
  const rows = await select({
    from: sql`(select id from (${found} offset 0) it
      order by ${named.withNulls} limit ${limit} offset ${start}) hits`,
    id: HIT,
    fields: { position, total: whole(total) as SQL<number> },
    order: withNulls,
  });
  return { rows, total };
}

/** The same in one, of rows whose number only reading them tells; undefined where they are more than `most`. */
async function sorted<Row extends { total: number }>(
  db: Db,
  { list, place }: Asked,
  usual: number,
  select: Select<Row>,
): Promise<Found<Row> | undefined> {
  const most = Math.max(usual, limitOf(list));
  const { position, named, withNulls } = orderOf(list);
  const behind = place && isBehindOrWithout(list, place);
  const found = (more?: SQL) =>
    sql`${selected(list, sql`, ${named.keys}${more}`, list.where)} limit ${whole(most + 1)}`;
  const [limit, start] = windowOf(list, place);
  const rows = await select({
    from: sql`(with found as materialized (${found(behind && sql`, ${behind} as behind`)})
      select id, (select count(*)::int from found) as total from found${
      behind && sql` where behind`
    } order by ${named.withNulls} limit ${limit} offset ${start}) hits`,
    id: HIT,
    fields: { position, total: sql<number>`hits.total` },
    order: withNulls,
  });
  const isEmpty = list.page.page === 1 && !place;
  const total = rows[0]?.total ?? (isEmpty ? 0 : await askCount(db, found()));
  return total <= most ? { rows, total } : undefined;
}

function windowOf(list: List, place: Place | undefined): readonly [limit: SQL, offset: SQL] {
  return [whole(list.page.pageSize + 1), place ? sql`0` : sql`${offsetOf(list)}`];
}

function whole(n: number): SQL {
  return sql.raw(String(Math.trunc(n)));
}

/** Of all rows, those without a value of the first key included, those that follow the place. */
function isBehindOrWithout(list: List, place: Place): SQL | undefined {
  const [first] = list.keys;
  const behind = or(...rangesBehind(list, place));
  if (!isNullable(first)) return behind;
  const without = isNull(sqlOf(first));
  return place[0] === null ? and(without, behind) : or(behind, without);
}

async function askCount(db: Db, rows: SQL): Promise<number> {
  const [row] = rowsOf<{ n: number }>(
    await db.execute(sql`select count(*)::int as n from (${rows}) it`),
  );
  return row?.n ?? 0;
}
