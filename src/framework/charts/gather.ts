import type { Language } from "#src/kernel/language.ts";
import { truncateText } from "#src/kernel/text.ts";
import type { NumberFormat } from "#src/ports/chart_painter.ts";

/** A column that is drawn, and how. */
export interface ShownChannel {
  readonly field: string;
  readonly type?: string | undefined;
  readonly aggregate?: "none" | "sum" | "avg" | "min" | "max" | "count" | undefined;
  readonly time_unit?: "year" | "quarter" | "month" | "week" | "day" | "hour" | undefined;
  readonly sort?: "ascending" | "descending" | "none" | undefined;
  readonly direction?: string | undefined;
  readonly title: string;
  readonly format?: NumberFormat | undefined;
  readonly lookup?: string | undefined;
}

/** One row: its places along two channels, and its number. */
export interface Cell {
  readonly x: string;
  readonly y: string;
  readonly value: number | null;
}

/** Axis of a channel: a key for each value, the order of the keys, and a label for each. */
export interface Along {
  readonly channel: ShownChannel | undefined;
  key(value: unknown): string;
  /** Returns the distinct keys in order; `cells` are needed to sort by the chart's numbers. */
  places(keys: readonly string[], cells: readonly Cell[]): string[];
  label(key: string): string;
}

const MAX_LENGTH = 60;
/** Limit of days, up to which days without events are shown too. */
const MAX_DAYS = 400;

/**
 * Builds the axis of a channel: truncates times to their unit and labels codes. Without a channel, the axis has one
 * unnamed position.
 */
export function buildAxis(
  channel: ShownChannel | undefined,
  { type, labels, language }: {
    type: string | undefined;
    labels: ReadonlyMap<string, string> | undefined;
    language: Language;
  },
): Along {
  const isTime = channel?.type === "temporal" || type === "date" || type === "datetime";
  const unit = channel?.time_unit ?? (type === "datetime" ? "hour" : "day");
  const sort = channel?.sort ?? (isTime ? "ascending" : "none");
  const format = findNumbers(channel, type, language);
  return {
    channel,
    key: (value) => {
      if (value === null || value === undefined) return "";
      return isTime ? timeKey(String(value), unit) : String(value);
    },
    places: (keys) => {
      const all = [...new Set(keys)];
      const sorted = sort === "none" ? all : all.sort((a, b) =>
        (sort === "ascending" ? 1 : -1) *
        a.localeCompare(b, language, { numeric: true })
      );
      return isTime && unit === "day" && sort === "ascending" ? everyDay(sorted) : sorted;
    },
    label: (key) => {
      if (key === "") return "–";
      const said = labels?.get(key) ??
        (isTime ? timeLabel(key, unit, language) : format ? format(key) : key);
      return said.length > MAX_LENGTH ? `${truncateText(said, MAX_LENGTH - 1)}…` : said;
    },
  };
}

/** Decimals as the language writes them; a number that is a name (a year, a rule) has no thousands. */
function findNumbers(
  channel: ShownChannel | undefined,
  type: string | undefined,
  language: Language,
): ((key: string) => string) | undefined {
  if (type !== "decimal" && type !== "number") return undefined;
  const { format } = new Intl.NumberFormat(LOCALES[language], {
    useGrouping: channel?.type === "quantitative",
    maximumFractionDigits: 10,
    ...getUnit(channel?.format),
  });
  return (key) => Number.isFinite(Number(key)) ? format(Number(key)) : key;
}

/** Returns the number format of a percentage or a unit; other formats add nothing to names. */
function getUnit({ style, unit }: NumberFormat = {}): Intl.NumberFormatOptions {
  if (style === "percent") return { style };
  if (style !== "unit" || typeof unit !== "string" || !UNITS.has(unit)) return {};
  return { style, unit };
}

const UNITS: ReadonlySet<string> = new Set(Intl.supportedValuesOf("unit"));
const LOCALES = { fr: "fr-FR", en: "en-GB" } as const;
const ZONE = "Europe/Paris";

type Unit = NonNullable<ShownChannel["time_unit"]>;

/** `2026-03-14` or `2026-03-14T09`, the beginning of its unit; a text that is no time stays as it is. */
function timeKey(value: string, unit: Unit): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(value)?.[0];
  if (day === undefined || Number.isNaN(Date.parse(value))) return value;
  const local = value.length > 10 ? inParis(value) : `${day}T00`;
  const date = local.slice(0, 10);
  const month = Number(date.slice(5, 7));
  switch (unit) {
    case "year":
      return `${date.slice(0, 4)}-01-01`;
    case "quarter":
      return `${date.slice(0, 5)}${String(month - (month - 1) % 3).padStart(2, "0")}-01`;
    case "month":
      return `${date.slice(0, 7)}-01`;
    case "week": {
      const at = new Date(`${date}T00:00:00Z`);
      at.setUTCDate(at.getUTCDate() - (at.getUTCDay() + 6) % 7);
      return at.toISOString().slice(0, 10);
    }
    case "day":
      return date;
    case "hour":
      return local;
  }
}

const PARIS = new Intl.DateTimeFormat("sv-SE", {
  timeZone: ZONE,
  dateStyle: "short",
  timeStyle: "medium",
});

function inParis(moment: string): string {
  return PARIS.format(new Date(moment)).slice(0, 13).replace(" ", "T");
}

const LOOKS: Readonly<Record<Unit, Intl.DateTimeFormatOptions>> = {
  year: { year: "numeric" },
  quarter: { year: "numeric" },
  month: { month: "short", year: "numeric" },
  week: { day: "numeric", month: "short", year: "numeric" },
  day: { day: "numeric", month: "short", year: "numeric" },
  hour: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
};

function timeLabel(key: string, unit: Unit, language: Language): string {
  const moment = new Date(`${key.length === 10 ? `${key}T00` : key}:00:00Z`);
  if (Number.isNaN(moment.getTime())) return key;
  const options = { ...LOOKS[unit], timeZone: "UTC" };
  const said = new Intl.DateTimeFormat(LOCALES[language], options).format(moment);
  if (unit !== "quarter") return said;
  return `${language === "fr" ? "T" : "Q"}${1 + Math.floor(moment.getUTCMonth() / 3)} ${said}`;
}

/** A day on which nothing happened is a gap, not a day that never was. */
function everyDay(days: string[]): string[] {
  const [first, last] = [days[0], days.at(-1)].map((it) => Date.parse(`${it}T00:00:00Z`));
  if (first === undefined || last === undefined || !(last - first <= MAX_DAYS * 86_400_000)) {
    return days;
  }
  return Array.from(
    { length: Math.round((last - first) / 86_400_000) + 1 },
    (_, at) => new Date(first + at * 86_400_000).toISOString().slice(0, 10),
  );
}

/** Exact numbers travel as texts; a picture needs no more than a double holds. */
export function toNumber(value: unknown): number | null {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

type Aggregate = ShownChannel["aggregate"];

/** Aggregates the rows of one position: by sum unless the chart defines otherwise; `none` takes the last row. */
export function aggregateRows(
  cells: readonly Cell[],
  aggregate: Aggregate = "sum",
): (x: string, y: string) => number | null {
  const places = new Map<string, number[]>();
  const getName = (x: string, y: string) => `${x.length}:${x}${y}`;
  for (const { x, y, value } of cells) {
    if (value === null && aggregate !== "count") continue;
    const name = getName(x, y);
    const known = places.get(name);
    if (known) known.push(value ?? 0);
    else places.set(name, [value ?? 0]);
  }
  return (x, y) => {
    const values = places.get(getName(x, y));
    return values ? GATHER[aggregate](values) : null;
  };
}

const sum = (values: readonly number[]) => values.reduce((all, it) => all + it, 0);
const GATHER: Readonly<Record<NonNullable<Aggregate>, (values: readonly number[]) => number>> = {
  none: (values) => values.at(-1) ?? 0,
  sum,
  avg: (values) => sum(values) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  count: (values) => values.length,
};
