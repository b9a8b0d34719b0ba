import { say, Sentence } from "#src/kernel/sentences/sentence.ts";
import { type CronFields, readFields } from "./cron_fields.ts";
import { isZone, offsetAt, turnBetween } from "./zone.ts";

/** A repeated time. */
export interface CronTime {
  /** Five fields: minute, hour, day of month, month, day of week; or `@hourly` and its like. */
  readonly expression: string;
  /** IANA name, such as `Europe/Paris`. */
  readonly timezone: string;
}

/** One moment it is due. */
export interface Fire {
  readonly at: Date;
  /** What clocks of its zone were to show, `2027-03-28T02:30`. */
  readonly local: string;
  /** That night clocks leave this time out, and it is due when they turn; or show it twice, and it is due the first time. */
  readonly odd?: "missing" | "twice";
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** 29 February may be eight years away. */
const FURTHEST_DAYS = 8 * 366 + 1;

/** Why the expression or the zone cannot be used, or undefined; an expression that is never due is a problem. */
export function problemOfCron(time: CronTime): Sentence | undefined {
  const fields = readFields(time.expression);
  if (fields instanceof Sentence) return fields;
  return problemOfZone(time.timezone) ?? problemOfDays(time);
}

/** Why it cannot be used, or undefined. */
export function problemOfZone(timezone: string): Sentence | undefined {
  return isZone(timezone) ? undefined : say`${timezone.slice(0, 60)} is no time zone`;
}

function problemOfDays(time: CronTime): Sentence | undefined {
  return firesAfter(time, new Date(Date.UTC(2026, 0, 1)), 1).length
    ? undefined
    : say`${time.expression} is never due`;
}

/**
 * The next times it is due, oldest first. Named hours are due once a night even when clocks turn; what is due every hour
 * follows the real time. The one engine for what is shown and for what is started.
 */
export function firesAfter(time: CronTime, after: Date, most: number): Fire[] {
  const found: Fire[] = [];
  let last = dayOf(after, time.timezone);
  for (let day = last; day <= last + FURTHEST_DAYS && found.length < most; day++) {
    const fires = firesOfDay(time, day).filter((it) => it.at > after);
    if (fires.length) last = day;
    found.push(...fires);
  }
  return found.slice(0, most);
}

/** The latest times it was due after one moment and not after another, oldest first. */
export function firesBetween(
  time: CronTime,
  { after, until, most }: { after: Date; until: Date; most: number },
): Fire[] {
  const found: Fire[] = [];
  const last = dayOf(after, time.timezone);
  for (let day = dayOf(until, time.timezone); day >= last && found.length < most; day--) {
    found.unshift(...firesOfDay(time, day).filter((it) => it.at > after && it.at <= until));
  }
  return found.slice(-most);
}

/** Days since 1970 that clocks of the zone show. */
function dayOf(at: Date, zone: string): number {
  return Math.floor((at.getTime() + offsetAt(at.getTime(), zone)) / DAY_MS);
}

function firesOfDay({ expression, timezone }: CronTime, day: number): Fire[] {
  const fields = fieldsOf(expression);
  const midnight = day * DAY_MS; // as clocks show it
  const date = new Date(midnight);
  const calendar = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
  };
  if (!fields.fits(calendar)) return [];
  const offsets = [
    offsetAt(midnight - 15 * 60 * MINUTE_MS, timezone),
    offsetAt(midnight + 39 * 60 * MINUTE_MS, timezone),
  ] as const;
  const fires = fields.minutes.flatMap((minute) => {
    const shown = midnight + minute * MINUTE_MS;
    const local = new Date(shown).toISOString().slice(0, 16);
    if (offsets[0] === offsets[1]) return [{ at: new Date(shown - offsets[0]), local }];
    return oddFires({ shown, local, offsets, timezone }, fields);
  });
  const seen = new Set<number>(); // several that are left out are due together
  return fires.sort((a, b) => a.at.getTime() - b.at.getTime())
    .filter(({ at }) => !seen.has(at.getTime()) && seen.add(at.getTime()));
}

/** Around a day on which clocks turn. */
function oddFires(
  { shown, local, offsets: [before, after], timezone }: {
    shown: number;
    local: string;
    offsets: readonly [number, number];
    timezone: string;
  },
  { everyHour }: CronFields,
): Fire[] {
  const moments = [shown - before, shown - after].sort((a, b) => a - b);
  const real = moments.filter((it) => it + offsetAt(it, timezone) === shown);
  const [first] = real;
  if (first === undefined) {
    if (everyHour) return [];
    const [from = 0, to = 0] = moments;
    return [{ at: new Date(turnBetween(from, to, timezone)), local, odd: "missing" }];
  }
  if (real.length === 1) return [{ at: new Date(first), local }];
  if (everyHour) return real.map((it) => ({ at: new Date(it), local }));
  return [{ at: new Date(first), local, odd: "twice" }];
}

const read = new Map<string, CronFields>();
const MOST_READ = 1_000;

function fieldsOf(expression: string): CronFields {
  const known = read.get(expression);
  if (known) return known;
  const fields = readFields(expression);
  if (fields instanceof Sentence) throw new Error(`${expression} was not checked`);
  if (read.size >= MOST_READ) read.clear();
  read.set(expression, fields);
  return fields;
}
