import { and, arrayOverlaps, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { logBatches, logEntries } from "#drizzle/schema/mod.ts";
import { likeAnywhere } from "#src/kernel/text.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import type { LogFields, LogLevel, LogLine } from "#src/ports/log.ts";

/** Log entry, in any storage. */
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

/** Factor above the entries of a batch: an entry's number combines its batch and its position there. */
const PLACES = 1_000;
const idOf = sql`(${logBatches.id} * ${sql.raw(String(PLACES))} + place)`;
const getBatch = (entry: number) => Math.floor(entry / PLACES);

/** Lines of batches with their positions. */
const split = sql`${logBatches} cross join lateral
  unnest(string_to_array(${logBatches.lines}, E'\n')) with ordinality as written(text, place)`;
/** Parsed lines; each line's JSON is parsed once for all conditions. */
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

function getEntry({ id, process, text }: Written): LogEntry {
  const { call, line } = JSON.parse(text);
  const { time, level, event, ...fields } = line;
  return { id, time, level, process, event, requestId: call ?? line.requestId ?? null, fields };
}

/**
 * Stores lines of one process in the format of `keptLine`, up to 999 per row, and all rows in one statement to save
 * time.
 */
export async function insertLines(
  db: Db,
  process: string,
  rows: readonly (readonly LogLine[])[],
): Promise<void> {
  await db.insert(logBatches).values(rows.map((lines) => ({ process, ...getRow(lines) })));
}

function getRow(lines: readonly LogLine[]) {
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
 * Deletes entries older than `keepDays` and the oldest ones beyond `keepEntries`, both in whole batches. Also deletes
 * entries of the earlier release by age, because its processes no longer do.
 */
export async function pruneEntries(
  db: Db,
  { keepDays, keepEntries }: { keepDays: number; keepEntries: number },
): Promise<void> {
  const oldest = sql`now() - ${keepDays} * interval '1 day'`;
  await db.delete(logBatches).where(lt(logBatches.lastAt, oldest));
  await db.delete(logEntries).where(lt(logEntries.at, oldest));
  const kept = await idBefore(db, { upTo: await newestId(db), most: keepEntries });
  await db.delete(logBatches).where(lt(logBatches.id, getBatch(kept)));
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
  /** Events that the search finds as well; letters, digits, points, `_` and `-` only. */
  readonly searchEvents?: readonly string[] | undefined;
}

/** Filter of entries apart from the searched text. */
type OtherFilter = Omit<LogFilter, "search" | "searchEvents">;

/** Searched text, with the events that match it. */
interface Search {
  readonly text: string;
  readonly events: readonly string[];
}

/** Limit up to which a total is counted. */
const COUNTED = 1_000;
/** Entries a text is looked for in: those the rest of the filter leaves, newest first. */
const SEARCHED = 20_000;
/** Number of lines read in one statement. */
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
  { search: text, searchEvents: events = [], ...filter }: LogFilter,
  page: { limit: number; offset: number },
): Promise<FoundEntries> {
  if (text !== undefined) {
    return await searchEntries(db, { search: { text, events }, filter, ...page });
  }
  const where = findCondition(filter);
  const found = getRows<Written>(
    await db.execute(
      sql`select ${shown} from ${unfolded} ${where} ${newestFirst} limit ${page.limit} offset ${page.offset}`,
    ),
  );
  const [counted] = getRows<{ n: number }>(
    await db.execute(sql`select count(*)::int as n from (
      select 1 from ${unfolded} ${where} ${newestFirst} limit ${COUNTED + 1}) as found`),
  );
  return { entries: found.map(getEntry), ...cappedTotal(counted?.n ?? 0) };
}

function cappedTotal(found: number) {
  return { total: Math.min(found, COUNTED), totalIsCapped: found > COUNTED };
}

/**
 * Searches a text anywhere in the entries, up to a limit, because an index would cost too much on each insert. Reads a
 * thousand entries per query, so that other queries run in between.
 */
async function searchEntries(
  db: Db,
  { search, filter, limit, offset }: {
    search: Search;
    filter: OtherFilter;
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
    entries.push(...step.page.map(getEntry));
    total += step.total;
    left -= step.looked;
    under = step.oldest;
    since = step.since ?? since;
  }
  return { entries, ...cappedTotal(total), ...!left && since && { searchedFrom: since } };
}

/**
 * Searches the batches before `under` that may contain matching entries. Most lines do not contain the longest word of
 * the text, and need not be parsed.
 */
async function someSearched(
  db: Db,
  { search, filter, under, left, page: { limit, offset } }: {
    search: Search;
    filter: OtherFilter;
    under: number | undefined;
    left: number;
    page: { limit: number; offset: number };
  },
) {
  const within = likeAnywhere(search.text);
  const inJson = likeAnywhere(JSON.stringify(search.text).slice(1, -1));
  const word = likeAnywhere(longestWord(search.text));
  const events = sql`string_to_array(${search.events.join(",")}, ',')`;
  const anyEvent = search.events.join("|").replaceAll(".", "\\.");
  const isNamed = anyEvent ? sql`text ~ ${anyEvent}` : sql`false`;
  const lines = matchLines(filter);
  const batches = and(
    matchBatches(filter),
    under === undefined ? undefined : lt(logBatches.id, under),
  );
  const [found] = getRows<SomeSearched>(
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
        where (text ilike ${word} or process ilike ${within} or ${isNamed})
          and (line ->> 'event' ilike ${within} or line ->> 'event' = any(${events}) or process ilike ${within} or ${call} ilike ${within}
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
  /** Time of the oldest line that was read. */
  readonly since: string | null;
  /** Number of the oldest batch that was read; null when no batch was left. */
  readonly oldest: number | null;
}

/** Returns the longest word of letters and digits, which JSON does not escape; empty when the text has none. */
function longestWord(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).reduce(
    (one, it) => it.length > one.length ? it : one,
    "",
  );
}

export async function findEntry(db: Db, id: number): Promise<LogEntry | undefined> {
  const [found] = getRows<Written>(
    await db.execute(sql`select ${shown} from ${unfolded}
      where ${logBatches.id} = ${getBatch(id)} and place = ${id % PLACES}`),
  );
  return found && getEntry(found);
}

/** Lists entries of the same call, oldest first. */
export async function listNeighbours(
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
  return getRows<Written>(found).map(getEntry);
}

export async function newestId(db: Db): Promise<number> {
  const [found] = getRows<{ id: number }>(
    await db.execute(sql`select (id * ${PLACES}::bigint + entries)::float8 as id from ${logBatches}
      order by ${logBatches.id} desc limit 1`),
  );
  return found?.id ?? 0;
}

/** Lists entries after one id up to another, oldest first: the given number, and the rest of their last batch. */
export async function entriesBetween(
  db: Db,
  { after, upTo }: { after: number; upTo: number },
  count: number,
): Promise<LogEntry[]> {
  const ahead =
    sql`select id, entries from ${logBatches} where id * ${PLACES}::bigint + entries > ${after}
    and id between ${getBatch(after)} and ${getBatch(upTo)} order by id limit ${count}`;
  const found = await db.execute(sql`select ${shown} from ${unfolded}
    where ${idOf} > ${after} and ${idOf} <= ${upTo} and ${logBatches.id} in (select id from (
      select id, sum(entries) over (order by id) - entries as before from (${ahead}) as ahead) as counted
      where before < ${count}) ${oldestFirst}`);
  return getRows<Written>(found).map(getEntry);
}

/** Returns the id before the given number of newest entries; 0 when there are fewer. */
export async function idBefore(
  db: Db,
  { upTo, most }: { upTo: number; most: number },
): Promise<number> {
  const [found] = getRows<{ id: number }>(
    await db.execute(sql`select (id * ${PLACES}::bigint + newest - ${most})::float8 as id
      from (select id, sum(entries) over (order by id desc) as newest from ${logBatches} where id <= ${
      getBatch(upTo)
    }) as counted
      where newest > ${most} order by counted.id desc limit 1`),
  );
  return found?.id ?? 0;
}

/** Returns the condition on batches that may contain matching entries, and on the entries themselves. */
function findCondition(filter: OtherFilter): SQL | undefined {
  const all = and(matchBatches(filter), matchLines(filter));
  return all && sql`where ${all}`;
}

function matchBatches({ level, event, from, to }: OtherFilter): SQL | undefined {
  return and(
    level && arrayOverlaps(logBatches.levels, [...level]),
    event === undefined
      ? undefined
      : sql`exists (select from unnest(${logBatches.events}) as e where starts_with(e, ${event}))`,
    from && gte(logBatches.lastAt, from),
    to && lt(logBatches.firstAt, to),
  );
}

function matchLines({ level, event, from, to }: OtherFilter): SQL | undefined {
  return and(
    level && inArray(sql`line ->> 'level'`, [...level]),
    event === undefined ? undefined : sql`starts_with(line ->> 'event', ${event})`,
    from && sql`line ->> 'time' >= ${from.toISOString()}`,
    to && sql`line ->> 'time' < ${to.toISOString()}`,
  );
}
