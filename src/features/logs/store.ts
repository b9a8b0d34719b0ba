import { and, arrayOverlaps, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { logBatches, logEntries } from "#drizzle/schema/mod.ts";
import { likeAnywhere } from "#src/kernel/text.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import type { LogFields, LogLevel, LogLine } from "#src/ports/log.ts";

/** One entry of the log, wherever it is kept. */
export interface LogEntry {
  readonly id: number;
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly level: LogLevel;
  readonly process: string;
  readonly event: string;
  /** The call it was logged in. */
  readonly requestId: string | null;
  readonly fields: LogFields;
}

/** More than a batch has entries: the number of an entry is its batch's and its place there. */
const PLACES = 1_000;
const idOf = sql`(${logBatches.id} * ${sql.raw(String(PLACES))} + place)`;
const batchOf = (entry: number) => Math.floor(entry / PLACES);

/** The lines of batches, each with its place. */
const split = sql`${logBatches} cross join lateral
  unnest(string_to_array(${logBatches.lines}, E'\n')) with ordinality as written(text, place)`;
/** What a line says. Its JSON is read once, whatever is asked of it. */
const parsed = sql`cross join lateral (
  select said -> 'line' as line, said ->> 'call' as call from (select text::jsonb as said offset 0) as json offset 0) as parsed`;
const unfolded = sql`${split} ${parsed}`;
const newestFirst = sql`order by ${logBatches.id} desc, place desc`;
const oldestFirst = sql`order by ${logBatches.id}, place`;
const shown = sql`${idOf}::float8 as id, ${logBatches.process}, text`;
const call = sql`coalesce(call, line ->> 'requestId')`;

interface Written {
  readonly id: number;
  readonly process: string;
  readonly text: string;
}

function entryOf({ id, process, text }: Written): LogEntry {
  const { call, line } = JSON.parse(text);
  const { time, level, event, ...fields } = line;
  return { id, time, level, process, event, requestId: call ?? line.requestId ?? null, fields };
}

/**
 * Keeps what one process logged, as `keptLine` makes it: a row for so many lines, at most 999, and all rows in one statement, so that
 * keeping costs little.
 */
export async function insertLines(
  db: Db,
  process: string,
  rows: readonly (readonly LogLine[])[],
): Promise<void> {
  await db.insert(logBatches).values(rows.map((lines) => ({ process, ...rowOf(lines) })));
}

function rowOf(lines: readonly LogLine[]) {
  const times = lines.map(({ time }) => time);
  return {
    entries: lines.length,
    firstAt: new Date(times.reduce((one, it) => it < one ? it : one)),
    lastAt: new Date(times.reduce((one, it) => it > one ? it : one)),
    levels: [...new Set(lines.map(({ level }) => level))],
    events: [...new Set(lines.map(({ event }) => event))],
    lines: lines.map(({ text }) => text).join("\n"),
  };
}

/**
 * Drops what is older than so many days, and the oldest of what is more than so many, both in whole batches; by its age also what the
 * release before keeps, whose processes do it no more once they are replaced.
 */
export async function pruneEntries(
  db: Db,
  { keepDays, keepEntries }: { keepDays: number; keepEntries: number },
): Promise<void> {
  const oldest = sql`now() - ${keepDays} * interval '1 day'`;
  await db.delete(logBatches).where(lt(logBatches.lastAt, oldest));
  await db.delete(logEntries).where(lt(logEntries.at, oldest));
  const kept = await idBefore(db, { upTo: await newestId(db), most: keepEntries });
  await db.delete(logBatches).where(lt(logBatches.id, batchOf(kept)));
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
/** And those that are read in one statement. */
const AT_ONCE = 1_000;

export interface FoundEntries {
  readonly entries: LogEntry[];
  readonly total: number;
  readonly totalIsCapped: boolean;
  /** Since when a text was looked for, where there are older entries it was not looked for in. */
  readonly searchedFrom?: string;
}

/** Newest first, with how many there are. */
export async function findEntries(
  db: Db,
  { search, ...filter }: LogFilter,
  page: { limit: number; offset: number },
): Promise<FoundEntries> {
  if (search !== undefined) return await searched(db, { search, filter, ...page });
  const where = conditionOf(filter);
  const found = rowsOf<Written>(
    await db.execute(
      sql`select ${shown} from ${unfolded} ${where} ${newestFirst} limit ${page.limit} offset ${page.offset}`,
    ),
  );
  const [counted] = rowsOf<{ n: number }>(
    await db.execute(sql`select count(*)::int as n from (
      select 1 from ${unfolded} ${where} ${newestFirst} limit ${COUNTED + 1}) as found`),
  );
  return { entries: found.map(entryOf), ...cappedTotal(counted?.n ?? 0) };
}

function cappedTotal(found: number) {
  return { total: Math.min(found, COUNTED), totalIsCapped: found > COUNTED };
}

/**
 * A text stands anywhere, and no index of entries would be worth what it costs each of them: so many are read, and no more. They are
 * read by the thousand, between which others have their turn at the database.
 */
async function searched(
  db: Db,
  { search, filter, limit, offset }: {
    search: string;
    filter: Omit<LogFilter, "search">;
    limit: number;
    offset: number;
  },
): Promise<FoundEntries> {
  const entries: LogEntry[] = [];
  let [total, left] = [0, SEARCHED];
  let under: number | undefined;
  let since: string | undefined;
  while (left && (total <= COUNTED || total < offset + limit)) {
    const page = { offset: Math.max(0, offset - total), limit: limit - entries.length };
    const step = await someSearched(db, { search, filter, under, left, page });
    if (step.oldest === null) break;
    entries.push(...step.page.map(entryOf));
    total += step.total;
    left -= step.looked;
    under = step.oldest;
    since = step.since ?? since;
  }
  return { entries, ...cappedTotal(total), ...!left && since && { searchedFrom: since } };
}

/** In the batches under one that may hold such entries. Most lines do not hold the longest word of it, as they are written, and need not be taken apart. */
async function someSearched(
  db: Db,
  { search, filter, under, left, page: { limit, offset } }: {
    search: string;
    filter: Omit<LogFilter, "search">;
    under: number | undefined;
    left: number;
    page: { limit: number; offset: number };
  },
) {
  const within = likeAnywhere(search);
  const inJson = likeAnywhere(JSON.stringify(search).slice(1, -1));
  const word = likeAnywhere(longestWord(search));
  const lines = linesOf(filter);
  const batches = and(
    batchesOf(filter),
    under === undefined ? undefined : lt(logBatches.id, under),
  );
  const [found] = rowsOf<SomeSearched>(
    await db.execute(sql`
      with ahead as materialized (
        select id from (select id, sum(entries) over (order by id desc) - entries as above from (
            select id, entries from ${logBatches} ${
      batches && sql`where ${batches}`
    } order by ${logBatches.id} desc limit ${AT_ONCE}) as newest
          ) as counted where above < ${AT_ONCE}),
      looked as materialized (
        select ${shown} from ${lines ? unfolded : split}
        where ${
      and(batches, sql`${logBatches.id} >= (select min(id) from ahead)`, lines)
    } ${newestFirst} limit ${left}),
      fits as materialized (
        select id, process, text from looked ${parsed}
          cross join lateral (select (line - '{time,level,event}'::text[])::text as fields) as told
        where (text ilike ${word} or process ilike ${within})
          and (line ->> 'event' ilike ${within} or process ilike ${within} or ${call} ilike ${within}
            or fields ilike ${within} or fields ilike ${inJson}))
      select coalesce((select json_agg(page) from (
          select id, process, text from fits order by id desc limit ${limit} offset ${offset}) as page), '[]') as page,
        (select count(*)::int from fits) as total, (select count(*)::int from looked) as looked,
        (select text::jsonb -> 'line' ->> 'time' from looked order by id limit 1) as since,
        (select min(id)::float8 from ahead) as oldest`),
  );
  return found ?? { page: [], total: 0, looked: 0, since: null, oldest: null };
}

interface SomeSearched {
  readonly page: readonly Written[];
  readonly total: number;
  readonly looked: number;
  /** Of the oldest line that was looked at. */
  readonly since: string | null;
  /** The batch; null where there was none left. */
  readonly oldest: number | null;
}

/** Letters and digits, which JSON writes as they are; empty where there are none. */
function longestWord(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).reduce(
    (one, it) => it.length > one.length ? it : one,
    "",
  );
}

export async function findEntry(db: Db, id: number): Promise<LogEntry | undefined> {
  const [found] = rowsOf<Written>(
    await db.execute(sql`select ${shown} from ${unfolded}
      where ${logBatches.id} = ${batchOf(id)} and place = ${id % PLACES}`),
  );
  return found && entryOf(found);
}

/** Of the same call, oldest first. */
export async function neighboursOf(
  db: Db,
  { id, requestId }: Pick<LogEntry, "id" | "requestId">,
  limit: number,
): Promise<LogEntry[]> {
  if (requestId === null) return [];
  const found = await db.execute(sql`select ${shown} from ${unfolded}
    where strpos(${logBatches.lines}, ${
    JSON.stringify(requestId)
  }) > 0 and ${call} = ${requestId} and ${idOf} <> ${id}
    ${oldestFirst} limit ${limit}`);
  return rowsOf<Written>(found).map(entryOf);
}

export async function newestId(db: Db): Promise<number> {
  const [found] = rowsOf<{ id: number }>(
    await db.execute(sql`select (id * ${PLACES}::bigint + entries)::float8 as id from ${logBatches}
      order by ${logBatches.id} desc limit 1`),
  );
  return found?.id ?? 0;
}

/** Oldest first: those after one, up to another; so many, and what else the last of their batches holds. */
export async function entriesBetween(
  db: Db,
  { after, upTo }: { after: number; upTo: number },
  count: number,
): Promise<LogEntry[]> {
  const ahead =
    sql`select id, entries from ${logBatches} where id * ${PLACES}::bigint + entries > ${after}
    and id between ${batchOf(after)} and ${batchOf(upTo)} order by id limit ${count}`;
  const found = await db.execute(sql`select ${shown} from ${unfolded}
    where ${idOf} > ${after} and ${idOf} <= ${upTo} and ${logBatches.id} in (select id from (
      select id, sum(entries) over (order by id) - entries as before from (${ahead}) as ahead) as counted
      where before < ${count}) ${oldestFirst}`);
  return rowsOf<Written>(found).map(entryOf);
}

/** The id before the newest so many, up to one; 0 where there are no more than that. */
export async function idBefore(
  db: Db,
  { upTo, most }: { upTo: number; most: number },
): Promise<number> {
  const [found] = rowsOf<{ id: number }>(
    await db.execute(sql`select (id * ${PLACES}::bigint + newest - ${most})::float8 as id
      from (select id, sum(entries) over (order by id desc) as newest from ${logBatches} where id <= ${
      batchOf(upTo)
    }) as counted
      where newest > ${most} order by counted.id desc limit 1`),
  );
  return found?.id ?? 0;
}

/** Of the batches that may hold such entries, and of the entries themselves. */
function conditionOf(filter: Omit<LogFilter, "search">): SQL | undefined {
  const all = and(batchesOf(filter), linesOf(filter));
  return all && sql`where ${all}`;
}

function batchesOf({ level, event, from, to }: Omit<LogFilter, "search">): SQL | undefined {
  return and(
    level && arrayOverlaps(logBatches.levels, [...level]),
    event === undefined
      ? undefined
      : sql`exists (select from unnest(${logBatches.events}) as e where starts_with(e, ${event}))`,
    from && gte(logBatches.lastAt, from),
    to && lt(logBatches.firstAt, to),
  );
}

function linesOf({ level, event, from, to }: Omit<LogFilter, "search">): SQL | undefined {
  return and(
    level && inArray(sql`line ->> 'level'`, [...level]),
    event === undefined ? undefined : sql`starts_with(line ->> 'event', ${event})`,
    from && sql`line ->> 'time' >= ${from.toISOString()}`,
    to && sql`line ->> 'time' < ${to.toISOString()}`,
  );
}
