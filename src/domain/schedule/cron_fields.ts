import { say, Sentence } from "#src/kernel/sentences/sentence.ts";

/** A cron expression, read: which minutes of which days. */
export interface CronFields {
  /** Of a day, ascending: 0 to 1439. */
  readonly minutes: readonly number[];
  /** Every hour is meant, so that it follows the real time and not what clocks show. */
  readonly everyHour: boolean;
  /** Whether a day of the calendar is one of its days. */
  fits(day: CalendarDay): boolean;
}

export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 Sunday to 6. */
  readonly weekday: number;
}

interface Field {
  readonly name: Sentence;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
const DAYS = "SUN MON TUE WED THU FRI SAT".split(" ");
const FIELDS = {
  minute: { name: say`the minute`, least: 0, most: 59 },
  hour: { name: say`the hour`, least: 0, most: 23 },
  day: { name: say`the day of the month`, least: 1, most: 31 },
  month: { name: say`the month`, least: 1, most: 12, names: MONTHS },
  weekday: { name: say`the day of the week`, least: 0, most: 7, names: DAYS },
} as const satisfies Record<string, Field>;

const ALIASES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const MAX_LENGTH = 100;
const MAX_ITEMS = 60;

/** Exactly five fields, or one of the aliases; else why it is none. */
export function readFields(expression: string): CronFields | Sentence {
  const shown = JSON.stringify(expression.slice(0, 60));
  if (expression.length > MAX_LENGTH) return say`${shown} is no cron expression of five fields`;
  const text = expression.trim();
  const parts = (Object.hasOwn(ALIASES, text) ? ALIASES[text] ?? "" : text).split(/\s+/);
  const [minute, hour, day, month, weekday] = parts;
  if (parts.length !== 5 || !minute || !hour || !day || !month || !weekday) {
    return say`${shown} is no cron expression of five fields`;
  }
  const minutes = numbersOf(minute, FIELDS.minute);
  const hours = numbersOf(hour, FIELDS.hour);
  const months = numbersOf(month, FIELDS.month);
  const days = daysOfMonth(day);
  const weekdays = daysOfWeek(weekday);
  if (minutes instanceof Sentence) return minutes;
  if (hours instanceof Sentence) return hours;
  if (months instanceof Sentence) return months;
  if (days instanceof Sentence) return days;
  if (weekdays instanceof Sentence) return weekdays;
  return {
    minutes: sorted(hours).flatMap((it) => sorted(minutes).map((minute) => it * 60 + minute)),
    everyHour: hours.size === 24,
    fits: (it) => {
      if (!months.has(it.month)) return false;
      if (isAny(day)) return weekdays.fits(it);
      if (isAny(weekday)) return days.fits(it);
      return days.fits(it) || weekdays.fits(it); // both named: either will do, as in every cron
    },
  };
}

interface Days {
  fits(day: CalendarDay): boolean;
}

function isAny(field: string): boolean {
  return field === "*" || field === "?";
}

function sorted(numbers: ReadonlySet<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}

/** `L` is the last one. */
function daysOfMonth(text: string): Days | Sentence {
  const items = text.split(",");
  const plain = items.filter((it) => it.toUpperCase() !== "L");
  const numbers = plain.length ? numbersOf(plain.join(","), FIELDS.day) : new Set<number>();
  if (numbers instanceof Sentence) return numbers;
  const last = plain.length < items.length;
  return {
    fits: ({ year, month, day }) =>
      numbers.has(day) || last && day === new Date(Date.UTC(year, month, 0)).getUTCDate(),
  };
}

/** `5#2` is the second Friday, `5L` the last one; 7 is Sunday too. */
function daysOfWeek(text: string): Days | Sentence {
  const rules: Days[] = [];
  for (const item of text.split(",")) {
    const [, named = "", nth] = /^(\w+?)(?:#([1-5])|L)$/i.exec(item) ?? [];
    if (named && (nth !== undefined || /L$/i.test(item))) {
      const numbers = numbersOf(named, FIELDS.weekday);
      if (numbers instanceof Sentence) return numbers;
      rules.push({
        fits: ({ year, month, day, weekday }) =>
          has(numbers, weekday) &&
          (nth === undefined
            ? day + 7 > new Date(Date.UTC(year, month, 0)).getUTCDate()
            : Math.ceil(day / 7) === Number(nth)),
      });
      continue;
    }
    const numbers = numbersOf(item, FIELDS.weekday);
    if (numbers instanceof Sentence) return numbers;
    rules.push({ fits: ({ weekday }) => has(numbers, weekday) });
  }
  return { fits: (day) => rules.some((it) => it.fits(day)) };
}

function has(weekdays: ReadonlySet<number>, weekday: number): boolean {
  return weekdays.has(weekday) || weekday === 0 && weekdays.has(7);
}

/** Lists of numbers or names, ranges and steps: `1,5`, `MON-FRI`, `0-30/10`, `5/15`. */
function numbersOf(text: string, field: Field): Set<number> | Sentence {
  const numbers = new Set<number>();
  const items = text.split(",");
  if (items.length > MAX_ITEMS) return say`${field.name} has more than ${MAX_ITEMS} values`;
  for (const item of items) {
    const range = rangeOf(item, field);
    if (range instanceof Sentence) return range;
    for (let it = range.from; it <= range.to; it += range.step) numbers.add(it);
  }
  return numbers;
}

function rangeOf(
  item: string,
  field: Field,
): { from: number; to: number; step: number } | Sentence {
  const { name, least, most } = field;
  const wrong = say`${name} is ${least} to ${most}, not ${JSON.stringify(item)}`;
  const [, range = "", stepText] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
  const step = stepText === undefined ? 1 : Number(stepText);
  if (!range || step < 1) return wrong;
  if (isAny(range)) return { from: least, to: most === 7 ? 6 : most, step };
  const [first = "", second, ...rest] = range.split("-");
  const from = numberOf(first, field);
  const to = second === undefined
    ? stepText === undefined ? from : most === 7 ? 6 : most
    : numberOf(second, field);
  if (from === undefined || to === undefined || rest.length || to < from) return wrong;
  return { from, to, step };
}

function numberOf(text: string, { least, most, names = [] }: Field): number | undefined {
  const at = names.indexOf(text.toUpperCase());
  const number = at >= 0 ? at + (least === 1 ? 1 : 0) : /^\d{1,2}$/.test(text) ? Number(text) : -1;
  return number >= least && number <= most ? number : undefined;
}
