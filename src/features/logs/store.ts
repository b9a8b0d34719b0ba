import { and, asc, desc, eq, gt, gte, inArray, lt, lte, ne, type SQL, sql } from "drizzle-orm";
import { logEntries } from "#drizzle/schema/mod.ts";
import { likeAnywhere } from "#src/kernel/text.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import type { LogLevel } from "#src/ports/log.ts";

export type LogRow = typeof logEntries.$inferSelect;

/** Lines of a process, as `keptLine` makes them: one statement, whatever their number, so that keeping costs little. */
export async function insertLines(
  db: Db,
  process: string,
  lines: readonly string[],
): Promise<void> {
  await db.execute(sql`insert into log_entries (at, level, process, event, request_id, fields)
    select (line->>'time')::timestamptz, line->>'level', ${process}::text, line->>'event',
      coalesce(call, line->>'requestId'), line - '{time,level,event}'::text[]
    from jsonb_to_recordset(${`[${lines}]`}::jsonb) as t(call text, line jsonb)`);
}

/** Drops what is older than so many days, and the oldest of what is more than so many. */
export async function pruneEntries(
  db: Db,
  { keepDays, keepEntries }: { keepDays: number; keepEntries: number },
): Promise<void> {
  await db.delete(logEntries).where(
    lt(logEntries.at, sql`now() - ${keepDays} * interval '1 day'`),
  );
  await db.delete(logEntries).where(
    lte(
      logEntries.id,
      sql`(select id from log_entries order by id desc offset ${keepEntries} limit 1)`,
    ),
  );
}

export interface LogFilter {
  readonly level?: readonly LogLevel[] | undefined;
  /** An event or the beginning of several. */
  readonly event?: string | undefined;
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  /** Anywhere in the event, the process or the fields. */
  readonly search?: string | undefined;
}

/** As far as a total is counted. */
const COUNTED = 1_000;
/** Entries a text is looked for in: those the rest of the filter leaves, newest first. */
const SEARCHED = 20_000;

export interface FoundEntries {
  readonly rows: LogRow[];
  readonly total: number;
  readonly totalIsCapped: boolean;
  /** Since when a text was looked for, where there are older entries it was not looked for in. */
  readonly searchedFrom?: Date;
}

/** Newest first, with how many there are. */
export async function findEntries(
  db: Db,
  { search, ...filter }: LogFilter,
  page: { limit: number; offset: number },
): Promise<FoundEntries> {
  if (search !== undefined) return await searched(db, { search, filter, ...page });
  const where = conditionOf(filter);
  const rows = await db.select().from(logEntries).where(where).orderBy(desc(logEntries.id))
    .limit(page.limit).offset(page.offset);
  const some = db.select({ id: logEntries.id }).from(logEntries).where(where)
    .limit(COUNTED + 1).as("some");
  const [counted] = await db.select({ n: sql<number>`count(*)::int` }).from(some);
  const total = counted?.n ?? 0;
  return { rows, total: Math.min(total, COUNTED), totalIsCapped: total > COUNTED };
}

/** A text stands anywhere, and no index of entries would be worth what it costs each of them: so many are read, and no more. */
async function searched(
  db: Db,
  { search, filter, limit, offset }: {
    search: string;
    filter: Omit<LogFilter, "search">;
    limit: number;
    offset: number;
  },
): Promise<FoundEntries> {
  const within = likeAnywhere(search);
  const where = conditionOf(filter);
  const [found] = rowsOf<{ ids: number[]; total: number; looked: number; since: string | null }>(
    await db.execute(sql`
      with looked as materialized (
        select id, at, event ilike ${within} or process ilike ${within} or request_id ilike ${within}
          or fields::text ilike ${within} as fits
        from ${logEntries} ${
      where ? sql`where ${where}` : sql``
    } order by id desc limit ${SEARCHED})
      select array(select id::float8 from looked where fits order by id desc limit ${limit} offset ${offset}) as ids,
        (select count(*)::int from looked where fits) as total, (select count(*)::int from looked) as looked,
        (select to_char(min(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from looked) as since`),
  );
  const { ids = [], total = 0, looked = 0, since } = found ?? {};
  const rows = ids.length
    ? await db.select().from(logEntries).where(inArray(logEntries.id, ids))
      .orderBy(desc(logEntries.id))
    : [];
  const isCut = looked === SEARCHED && since;
  const counted = { total: Math.min(total, COUNTED), totalIsCapped: total > COUNTED };
  return { rows, ...counted, ...isCut && { searchedFrom: new Date(since) } };
}

export async function findEntry(db: Db, id: number): Promise<LogRow | undefined> {
  const [row] = await db.select().from(logEntries).where(eq(logEntries.id, id));
  return row;
}

/** Of the same call, oldest first. */
export async function neighboursOf(
  db: Db,
  { id, requestId }: Pick<LogRow, "id" | "requestId">,
  limit: number,
): Promise<LogRow[]> {
  if (requestId === null) return [];
  return await db.select().from(logEntries)
    .where(and(eq(logEntries.requestId, requestId), ne(logEntries.id, id)))
    .orderBy(asc(logEntries.id)).limit(limit);
}

export async function newestId(db: Db): Promise<number> {
  const [row] = await db.select({ id: logEntries.id }).from(logEntries)
    .orderBy(desc(logEntries.id)).limit(1);
  return row?.id ?? 0;
}

/** Oldest first: those after one, up to another. */
export async function entriesBetween(
  db: Db,
  { after, upTo }: { after: number; upTo: number },
  limit: number,
): Promise<LogRow[]> {
  return await db.select().from(logEntries)
    .where(and(gt(logEntries.id, after), lte(logEntries.id, upTo)))
    .orderBy(asc(logEntries.id)).limit(limit);
}

/** The id before the newest so many, up to one. */
export async function idBefore(
  db: Db,
  { upTo, most }: { upTo: number; most: number },
): Promise<number> {
  const [row] = await db.select({ id: logEntries.id }).from(logEntries)
    .where(lte(logEntries.id, upTo)).orderBy(desc(logEntries.id)).offset(most).limit(1);
  return row?.id ?? 0;
}

function conditionOf({ level, event, from, to }: Omit<LogFilter, "search">): SQL | undefined {
  return and(
    level && inArray(logEntries.level, [...level]),
    event === undefined ? undefined : sql`starts_with(${logEntries.event}, ${event}::text)`,
    from && gte(logEntries.at, from),
    to && lt(logEntries.at, to),
  );
}
