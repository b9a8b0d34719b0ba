import { count, isNotNull, isNull, type SQL } from "drizzle-orm";
import type { Counted } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import {
  hitsOf,
  idsOf,
  limitOf,
  type List,
  offsetOf,
  type Part,
  type Select,
  totalOf,
} from "./hits.ts";
import { placeOf, refusedAs, tokenOf } from "./place.ts";
import { type Asked, askTotal, type Found, scatteredRows, waysTo } from "./scattered.ts";
import { isNullable, sqlOf } from "./sort_key.ts";

export type { List } from "./hits.ts";

/**
 * One page of a list. Its rows are found in the order of an index of `keys`, by number or `after` a place, and only those
 * of the page are read; where few fit that no index has in order, these are found and sorted. Throws AppError `invalid` where `after`
 * is no place of this list.
 */
export async function listPage<Row extends { position: string; total: number }>(
  db: Db,
  list: List,
  select: Select<Row>,
): Promise<Counted & { rows: Row[] }> {
  const { after } = list.page;
  const place = after === undefined ? undefined : placeOf(list, after);
  try {
    const { rows, total } = await find(db, { list, place }, select);
    const { pageSize } = list.page;
    const last = rows.length > pageSize ? rows[pageSize - 1] : undefined;
    return {
      rows: rows.slice(0, pageSize),
      ...counted(list, total),
      next: last ? tokenOf(list, last.position) : null,
    };
  } catch (error) {
    throw place ? refusedAs(error) : error;
  }
}

/** So many rows before a page are worth asking first whether there are as many. */
const FAR = 10_000;

async function find<Row extends { total: number }>(
  db: Db,
  asked: Asked,
  select: Select<Row>,
): Promise<Found<Row>> {
  const { list } = asked;
  if (offsetOf(list) >= FAR && list.total) {
    const total = await askTotal(db, totalOf(list));
    if (offsetOf(list) >= total) return { rows: [], total };
  }
  const ways = await waysTo(db, asked);
  const { isScattered, search } = asked.list;
  const found = isScattered || search ? await scatteredRows(db, ways, select) : undefined;
  return found ?? await findInOrder(db, ways.read, select);
}

async function findInOrder<Row extends { total: number }>(
  db: Db,
  { list, place }: Asked,
  select: Select<Row>,
): Promise<Found<Row>> {
  const rows = await findRows(db, { list, place }, select);
  const isEmpty = list.page.page === 1 && !place;
  return { rows, total: rows[0]?.total ?? (isEmpty ? 0 : await askTotal(db, totalOf(list))) };
}

/**
 * An index has the rows without a value at one end only, so they are asked for by themselves, after the others.
 */
async function findRows<Row>(db: Db, { list, place }: Asked, select: Select<Row>): Promise<Row[]> {
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

async function askCount(db: Db, rows: SQL): Promise<number> {
  const [row] = await db.select({ n: count() }).from(rows);
  return row?.n ?? 0;
}

function counted(list: List, total: number): Pick<Counted, "total" | "totalIsCapped"> {
  const limit = limitOf(list);
  const totalIsCapped = !list.total && total > limit;
  return { total: totalIsCapped ? limit : total, totalIsCapped };
}
