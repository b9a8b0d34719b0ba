import { and, asc, count, desc, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { AppError } from "#src/kernel/errors.ts";
import type { Counted, PageRequest, SortDirection } from "#src/kernel/page.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { constantSql } from "./constant_sql.ts";
import { type Cursor, decodeCursor, encodeCursor, rangesAfter, refuseBadCursor } from "./cursor.ts";
import { findSqlState } from "./error_code.ts";
import { isNullable, type SortKey, toSql } from "./sort_key.ts";

export interface List {
  readonly table: PgTable;
  readonly where?: SQL | undefined;
  /** Disjoint conditions; each row meets one. An index serves each in the order of `keys`. */
  readonly anyOf?: readonly SQL[] | undefined;
  /** Further conditions, which no index serves in the order of `keys`. */
  readonly filter?: SQL | undefined;
  /**
   * Rows tested in order against `filter` before all matching rows are read and sorted. Absent if no index has the order.
   */
  readonly readAhead?: number | undefined;
  /** True if no index has the order of `keys`: PostgreSQL then sorts all rows, up to a time limit. */
  readonly isUnindexed?: boolean | undefined;
  readonly id: PgColumn;
  /**
   * Sort keys, unique together. Rows without the first key come last in either direction. Rows without another key come
   * where the index has them.
   */
  readonly keys: readonly SortKey[];
  /** Name of the order on the wire. */
  readonly sortBy: string;
  readonly sortDir: SortDirection;
  readonly page: PageRequest;
  /** Order in which rows are counted, if its index suits the conditions better than `keys`. */
  readonly countBy?: readonly SortKey[] | undefined;
}

/** Ids of a page, to be joined with the list's table and others that its rows show. */
export interface Hits {
  readonly from: SQL;
  readonly id: SQL;
  /** Fields that every select must add to its own. */
  readonly fields: { readonly position: SQL<string>; readonly total: SQL<number> };
  readonly order: SQL;
}

/** Reads the rows of a page from the database it is given. */
export type Select<Row> = (hits: Hits, db: Db) => PromiseLike<Row[]>;

/** Rows are counted up to this number, or up to the end of the page. */
const MAX_COUNTED = 1_000;
const HIT = sql.raw("hits.id");

/**
 * Reads one page of a list, by its number or after a cursor, with the number of rows counted up to a limit. Throws
 * AppError `invalid` if `after` is not a cursor of this list.
 */
export async function listPage<Row extends { position: string; total: number }>(
  db: Db,
  list: List,
  select: Select<Row>,
): Promise<Counted & { rows: Row[] }> {
  const { after, pageSize } = list.page;
  const cursor = after === undefined ? undefined : decodeCursor(list, after);
  try {
    const { rows, total } = await findPage(db, { list, cursor }, select);
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
    return {
      rows: rows.slice(0, pageSize),
      total: Math.min(total, getLimit(list)),
      totalIsCapped: total > getLimit(list),
      next: last ? encodeCursor(list, last.position) : null,
    };
  } catch (error) {
    throw cursor ? refuseBadCursor(error) : error;
  }
}

interface Asked {
  readonly list: List;
  readonly cursor: Cursor | undefined;
}

/** Rows of the page and one more, and the number of all rows. */
interface Found<Row> {
  readonly rows: Row[];
  readonly total: number;
}

async function findPage<Row extends { total: number }>(
  db: Db,
  asked: Asked,
  select: Select<Row>,
): Promise<Found<Row>> {
  const { filter, isUnindexed, readAhead } = asked.list;
  if (!filter && !isUnindexed) return await pageInOrder(db, asked, select);
  return await withTimeout(db, async (tx) => {
    if (!readAhead) return await pageInOrder(tx, asked, select);
    return await readAheadPage(tx, asked, select) ?? await sortedPage(tx, asked, select);
  });
}

const MAX_SECONDS = 5;
const MAX_MS = MAX_SECONDS * 1_000;
const CANCELED = "57014";

/** Cancels statements that run too long. The limit is set in the transaction, because poolers drop session settings. */
export async function withTimeout<T>(
  db: Db,
  read: (tx: Db) => Promise<T>,
  maxMs = MAX_MS,
): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local statement_timeout = ${maxMs}`));
      return await read(tx);
    }, { accessMode: "read only" });
  } catch (error) {
    if (findSqlState(error) !== CANCELED) throw error;
    throw new AppError(
      "overdue",
      say`The list took longer than ${maxMs / 1_000} s: add filters, or sort by date`,
      { cause: error },
    );
  }
}

async function pageInOrder<Row extends { total: number }>(
  db: Db,
  asked: Asked,
  select: Select<Row>,
): Promise<Found<Row>> {
  const { list, cursor } = asked;
  const rows = await findRows(db, asked, select);
  const isEmpty = list.page.page === 1 && !cursor;
  return { rows, total: rows[0]?.total ?? (isEmpty ? 0 : await countRows(db, countable(list))) };
}

/** Reads a page from the next rows in order; undefined if they do not fill it. */
async function readAheadPage<Row>(
  db: Db,
  { list, cursor }: Asked,
  select: Select<Row>,
): Promise<Found<Row> | undefined> {
  const { keys: [first], filter, page: { pageSize }, readAhead = 0 } = list;
  const offset = cursor ? 0 : computeOffset(list);
  if (offset + pageSize >= readAhead) return undefined;
  const { named, order, position } = renderOrder(list);
  const isLast = cursor?.[0] === null;
  const where = isNullable(first)
    ? isLast ? isNull(toSql(first)) : isNotNull(toSql(first))
    : undefined;
  const next = readInOrder(list, { where, cursor, limit: readAhead, fits: filter });
  const rows = await select({
    from: sql`(select id from (${next}) it where fits order by ${named.order} ${
      limitTo(pageSize + 1)
    } offset ${offset}) hits`,
    id: HIT,
    fields: { position, total: sql<number>`0` },
    order,
  }, db);
  if (rows.length <= pageSize) return undefined;
  return { rows, total: await countRows(db, countable(list)) };
}

/** Reads all rows that meet the conditions, and sorts them. */
async function sortedPage<Row extends { total: number }>(
  db: Db,
  { list, cursor }: Asked,
  select: Select<Row>,
): Promise<Found<Row>> {
  const { named, position, withNulls } = renderOrder(list);
  const after = cursor && isAfter(list, cursor);
  const found = selectIds(
    list,
    sql`, ${named.keys}${after && sql`, ${after} as is_after`}`,
    findConditions(list),
  );
  const rows = await select({
    from: sql`(with found as materialized (${found})
      select id, (select count(*)::int from found) as total from found${
      after && sql` where is_after`
    } order by ${named.withNulls} ${limitTo(list.page.pageSize + 1)} offset ${
      cursor ? 0 : computeOffset(list)
    }) hits`,
    id: HIT,
    fields: { position, total: sql<number>`hits.total` },
    order: withNulls,
  }, db);
  const isEmpty = list.page.page === 1 && !cursor;
  const total = rows[0]?.total ?? (isEmpty ? 0 : await countRows(db, sql`(${found}) counted`));
  return { rows, total };
}

function isAfter(list: List, cursor: Cursor): SQL | undefined {
  const [first] = list.keys;
  const after = or(...rangesAfter(list, cursor));
  if (!isNullable(first)) return after;
  const isLast = isNull(toSql(first));
  return cursor[0] === null ? and(isLast, after) : or(after, isLast);
}

/**
 * Reads the rows of the page and one more. An index has the rows without a value at one end only, so a second statement
 * reads them after the others.
 */
async function findRows<Row>(db: Db, { list, cursor }: Asked, select: Select<Row>): Promise<Row[]> {
  const [first] = list.keys;
  const limit = list.page.pageSize + 1;
  const offset = cursor ? 0 : computeOffset(list);
  const read = (part: Part) => select(getHits(list, part), db);
  if (!isNullable(first)) return await read({ cursor, limit, offset });
  const valued = { where: isNotNull(toSql(first)), cursor, limit, offset };
  const rows = cursor?.[0] === null ? [] : await read(valued);
  if (rows.length === limit) return rows;
  const isPassed = rows.length === 0 && offset > 0;
  const passed = isPassed
    ? await countRows(db, getIds(list, { ...valued, limit: offset, offset: 0 }))
    : offset;
  return [
    ...rows,
    ...await read({
      where: isNull(toSql(first)),
      cursor: cursor?.[0] === null ? cursor : undefined,
      limit: limit - rows.length,
      offset: offset - passed,
    }),
  ];
}

async function countRows(db: Db, rows: SQL): Promise<number> {
  const [row] = await db.select({ n: count() }).from(rows);
  return row?.n ?? 0;
}

interface Part {
  readonly where?: SQL | undefined;
  readonly cursor?: Cursor | undefined;
  readonly limit: number;
  readonly offset: number;
}

function getHits(list: List, part: Part): Hits {
  const { order, position } = renderOrder(list);
  const total = sql<number>`(select count(*)::int from ${countable(list)})`;
  return { from: getIds(list, part), id: HIT, fields: { position, total }, order };
}

function getIds(list: List, { cursor, limit, offset, ...part }: Part): SQL {
  const where = and(part.where, list.filter);
  const end = sql`${limitTo(limit)}${offset ? sql` offset ${offset}` : undefined}`;
  if (!list.anyOf && !cursor) {
    const { order } = renderOrder(list);
    return sql`(${selectIds(list, sql``, and(list.where, where))} order by ${order} ${end}) hits`;
  }
  const read = readInOrder(list, { where, cursor, limit: limit + offset });
  return sql`(select id from (${read}) it order by ${renderOrder(list).named.order} ${end}) hits`;
}

/**
 * Selects ids with their keys in the order of the list; the column `fits` tells if a row meets a condition. PostgreSQL
 * merges one ordered read for each condition of `anyOf` and each range after the cursor.
 */
function readInOrder(
  list: List,
  { where, cursor, limit, fits }: Omit<Part, "offset"> & { readonly fits?: SQL | undefined },
): SQL {
  const { order, named } = renderOrder(list);
  const ranges = cursor ? rangesAfter(list, cursor) : [undefined];
  const columns = sql`, ${named.keys}${fits && sql`, ${fits} as fits`}`;
  const [first, ...others] = (list.anyOf ?? [undefined]).flatMap((it) =>
    ranges.map((range) =>
      sql`${selectIds(list, columns, and(list.where, where, it, range))} order by ${order} ${
        limitTo(limit)
      }`
    )
  );
  if (first && !others.length) return first;
  const all = sql.join([first, ...others].map((it) => sql`(${it})`), sql` union all `);
  return sql`select * from (${all}) ranges order by ${named.order} ${limitTo(limit)}`;
}

/** Selects the rows to count, in the order of an index if one serves the conditions. */
function countable(list: List): SQL {
  if (list.anyOf && !list.filter) {
    return sql`(${
      readInOrder({ ...list, sortDir: "asc" }, { limit: getLimit(list) + 1 })
    }) counted`;
  }
  const { order } = renderOrder({ keys: list.countBy ?? list.keys, sortDir: "asc" });
  return sql`(${selectIds(list, sql``, findConditions(list))}${
    list.filter ? undefined : sql` order by ${order}`
  } ${limitTo(getLimit(list) + 1)}) counted`;
}

function findConditions({ where, anyOf, filter }: List): SQL | undefined {
  return and(where, anyOf && or(...anyOf), filter);
}

function selectIds({ id, table }: List, more: SQL, where: SQL | undefined): SQL {
  return sql`select ${id} as id${more} from ${table}${where && sql` where ${where}`}`;
}

/** Renders a usual limit as a literal, so that PostgreSQL plans the statement once for all calls. */
function limitTo(limit: number): SQL {
  return sql`limit ${limit <= MAX_COUNTED + 1 ? sql.raw(String(Math.trunc(limit))) : limit}`;
}

function getLimit(list: List): number {
  return Math.max(MAX_COUNTED, computeOffset(list) + list.page.pageSize);
}

function computeOffset({ page: { page, pageSize } }: List): number {
  return (page - 1) * pageSize;
}

interface Order {
  readonly order: SQL;
  /** Order of all rows, those without a value of the first key last. */
  readonly withNulls: SQL;
  readonly position: SQL<string>;
  /** Keys as columns of a subquery, from `k0` on, and their order. */
  readonly named: { readonly keys: SQL; readonly order: SQL; readonly withNulls: SQL };
}

const ORDERS = {
  asc: new WeakMap<readonly SortKey[], Order>(),
  desc: new WeakMap<readonly SortKey[], Order>(),
};

/** Renders each order once. `order` does not place rows without a value: a descending index read has them first. */
export function renderOrder({ keys, sortDir }: Pick<List, "keys" | "sortDir">): Order {
  const known = ORDERS[sortDir].get(keys);
  if (known) return known;
  const direction = sortDir === "asc" ? asc : desc;
  const texts = keys.map((key) => sql`${toSql(key)}::text`);
  const [first, ...others] = keys.map((key) => direction(toSql(key)));
  const names = keys.map((key, i) => sql`${toSql(key)} as ${sql.raw(`k${i}`)}`);
  const made = {
    order: constantSql(sql.join([sql`${first}`, ...others], sql`, `)),
    withNulls: constantSql(sql.join([sql`${first} nulls last`, ...others], sql`, `)),
    position: constantSql(sql<string>`json_build_array(${sql.join(texts, sql`, `)})::text`),
    named: {
      keys: constantSql(sql.join(names, sql`, `)),
      order: sql.raw(keys.map((_, i) => `k${i} ${sortDir}`).join()),
      withNulls: sql.raw(keys.map((_, i) => `k${i} ${sortDir}${i ? "" : " nulls last"}`).join()),
    },
  };
  ORDERS[sortDir].set(keys, made);
  return made;
}
