import { say, Sentence } from "#src/kernel/i18n/sentence.ts";
import { type CronPattern, parseCron } from "./cron_pattern.ts";
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
  /** Local time that clocks of the zone should show, `2027-03-28T02:30`. */
  readonly local: string;
  /**
   * Daylight saving: `missing` when clocks skip this time, which is then due at the change; `twice` when they
   * show it twice, and it is due the first time.
   */
  readonly odd?: "missing" | "twice";
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Explains why the expression or the zone cannot be used, or returns undefined; an expression that is never due
 * is a problem.
 */
export function problemOfCron(time: CronTime): Sentence | undefined {
  const pattern = parseCron(time.expression);
  if (pattern instanceof Sentence) return pattern;
  return problemOfZone(time.timezone) ?? problemOfDays(time, pattern);
}

/** Explains why it cannot be used, or returns undefined. */
export function problemOfZone(timezone: string): Sentence | undefined {
  return isZone(timezone) ? undefined : say`${timezone.slice(0, 60)} is no time zone`;
}

function problemOfDays({ expression }: CronTime, pattern: CronPattern): Sentence | undefined {
  return pattern.next(Date.UTC(2026, 0, 1)) === undefined
    ? say`${expression} is never due`
    : undefined;
}

/**
 * Returns the next times the schedule is due, oldest first. Fixed hours are due once a night even when clocks
 * change; hourly schedules follow real time. Previews and actual starts both use this function.
 */
export function firesAfter({ expression, timezone }: CronTime, after: Date, most: number): Fire[] {
  const pattern = getPattern(expression);
  const start = after.getTime() + Math.min(...offsetsAround(after.getTime(), timezone));
  let found: Fire[] = [];
  for (let local = pattern.next(start); local !== undefined; local = pattern.next(local)) {
    const earliest = local - Math.max(...offsetsAround(local, timezone));
    const last = found[most - 1];
    if (last && last.at.getTime() < earliest) break;
    found = mergeFires(found, firesAt(local, timezone, pattern).filter((it) => it.at > after));
  }
  return found.slice(0, most);
}

/** Returns the latest times it was due after one moment and not after another, oldest first. */
export function firesBetween(
  { expression, timezone }: CronTime,
  { after, until, most }: { after: Date; until: Date; most: number },
): Fire[] {
  const pattern = getPattern(expression);
  const end = until.getTime() + Math.max(...offsetsAround(until.getTime(), timezone));
  let found: Fire[] = [];
  for (
    let local = pattern.previous(end + MINUTE_MS);
    local !== undefined;
    local = pattern.previous(local)
  ) {
    const latest = local - Math.min(...offsetsAround(local, timezone));
    const first = found[found.length - most];
    if (latest <= after.getTime() || first && first.at.getTime() > latest) break;
    const fires = firesAt(local, timezone, pattern);
    found = mergeFires(found, fires.filter((it) => it.at > after && it.at <= until));
  }
  return found.slice(-most);
}

/** Returns the offsets of the zone a day before and a day after a moment. */
function offsetsAround(at: number, zone: string): [before: number, after: number] {
  return [offsetAt(at - DAY_MS, zone), offsetAt(at + DAY_MS, zone)];
}

/** Sorts by time. Of several fires at one moment, the earliest local time remains. */
function mergeFires(found: readonly Fire[], more: readonly Fire[]): Fire[] {
  const sorted = [...found, ...more].sort((a, b) =>
    a.at.getTime() - b.at.getTime() || (a.local < b.local ? -1 : 1)
  );
  return sorted.filter(({ at }, index) => at.getTime() !== sorted[index - 1]?.at.getTime());
}

/** Returns when clocks of the zone show a local time; a change of the clocks makes it none or two. */
function firesAt(shown: number, timezone: string, { everyHour }: CronPattern): Fire[] {
  const local = new Date(shown).toISOString().slice(0, 16);
  const [before, after] = offsetsAround(shown, timezone);
  if (before === after) return [{ at: new Date(shown - before), local }];
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

const patterns = new Map<string, CronPattern>();
const MAX_PATTERNS = 1_000;

function getPattern(expression: string): CronPattern {
  const known = patterns.get(expression);
  if (known) return known;
  const pattern = parseCron(expression);
  if (pattern instanceof Sentence) throw new Error(`${expression} was not checked`);
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  patterns.set(expression, pattern);
  return pattern;
}
