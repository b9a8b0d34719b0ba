/** Period of days, both included, as `yyyy-MM-dd`. */
export interface DayPeriod {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;

/**
 * Returns the period before, for a comparison. Whole months are compared with as many months before, other periods
 * with as many days before.
 */
export function previousPeriod({ from, to }: DayPeriod): DayPeriod {
  const [first, last] = [parseDay(from), parseDay(to)];
  const end = addDays(first, -1);
  if (first.getUTCDate() !== 1 || addDays(last, 1).getUTCDate() !== 1) {
    const days = Math.round((last.getTime() - first.getTime()) / DAY_MS) + 1;
    return { from: formatDay(addDays(first, -days)), to: formatDay(end) };
  }
  const months = 12 * (last.getUTCFullYear() - first.getUTCFullYear()) +
    last.getUTCMonth() - first.getUTCMonth() + 1;
  const start = new Date(first);
  start.setUTCMonth(start.getUTCMonth() - months);
  return { from: formatDay(start), to: formatDay(end) };
}

/** Returns the day a number of days later, or earlier if negative. */
export function shiftDay(day: string, days: number): string {
  return formatDay(addDays(parseDay(day), days));
}

function parseDay(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

function addDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * DAY_MS);
}

function formatDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}
