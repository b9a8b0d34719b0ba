/** Kind of value: a day, a moment in local time, or a time of day. */
export type DateKind = "day" | "moment" | "time";

const DAY = /^(\d{4})-(\d\d)-(\d\d)/;
const TYPED_DAY = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})$/;
const TYPED_SHORT = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d\d)$/;
/**
 * Digits without separators are read only in full, since fewer are ambiguous: `221126` is not a day of the
 * year 1126.
 */
const TYPED_DIGITS = /^(\d\d)(\d\d)(\d{4})$/;
const SHORT_DIGITS = /^(\d\d)(\d\d)(\d\d)$/;
const TYPED_TIME = /^(\d{1,2})\s?[:h]\s?(\d\d)$/i;

/**
 * Formats a value as `22/11/2026`, `22/11/2026 14:30` or `14:30`; both languages use this format. Returns
 * other text unchanged.
 */
export function formatDate(kind: DateKind, value: string): string {
  if (kind === "time") return value.slice(0, 5);
  const [, year, month, day] = DAY.exec(value) ?? [];
  if (year === undefined) return value;
  const time = kind === "moment" ? ` ${value.slice(11, 16)}` : "";
  return `${day}/${month}/${year}${time}`;
}

/**
 * Parses input into `2026-11-22`, `2026-11-22T14:30` or `14:30`. Returns an empty string for empty input,
 * undefined for invalid input. A year of two digits is read only `whenDone`: it may be the start of four
 * digits.
 */
export function parseDate(kind: DateKind, typed: string, whenDone = false): string | undefined {
  const text = typed.trim();
  if (text === "") return "";
  if (kind === "time") return findTime(text);
  if (kind === "day") return findDay(text, whenDone);
  const [, first = "", rest = ""] = /^([^\sT]+)(?:[ T]+(.+))?$/.exec(text) ?? [];
  const day = findDay(first, whenDone);
  const time = rest === "" ? "00:00" : findTime(rest);
  return day && time && (rest !== "" || whenDone) ? `${day}T${time}` : undefined;
}

function findDay(text: string, whenDone: boolean): string | undefined {
  const [, day = "", month = "", year = ""] = TYPED_DAY.exec(text) ?? TYPED_DIGITS.exec(text) ??
    (whenDone ? TYPED_SHORT.exec(text) ?? SHORT_DIGITS.exec(text) : null) ?? [];
  const [, ...parts] = DAY.exec(text) ?? [];
  const iso = parts.length && text.length === 10
    ? text
    : `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(iso) ? iso : undefined;
}

function findTime(text: string): string | undefined {
  const [, hour = "", minute = ""] = TYPED_TIME.exec(text) ?? [];
  const isTime = hour !== "" && Number(hour) < 24 && Number(minute) < 60;
  return isTime ? `${hour.padStart(2, "0")}:${minute}` : undefined;
}

/** Years have four digits, in the calendar and in the API. */
export const [FIRST, LAST] = ["1000-01-01", "9999-12-31"];

/** Returns true for an existing day. */
export function isDay(iso: string): boolean {
  const at = new Date(`${iso}T00:00:00Z`);
  return iso >= FIRST && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === iso;
}

/** Adds days; a negative number subtracts. */
export function later(iso: string, days: number): string {
  const at = new Date(`${iso}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return dayAt(at);
}

/** Adds months and keeps the day of the month, or takes the last day of a shorter month. */
export function monthsLater(iso: string, months: number): string {
  const [year = 0, month = 1, day = 1] = iso.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const at = new Date(Date.UTC(year, month - 1 + months, Math.min(day, last)));
  return dayAt(at);
}

/** Formats a day, limited to the first and the last supported day. */
function dayAt(at: Date): string {
  const year = at.getUTCFullYear();
  return year < 1000 ? FIRST : year > 9999 ? LAST : at.toISOString().slice(0, 10);
}

/** Returns the day of the week; Monday is 0. */
export function getWeekday(iso: string): number {
  return (new Date(`${iso}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** Returns the current day in the reader's time zone. */
export function today(): string {
  const now = new Date();
  const two = (it: number) => String(it).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * Converts the days `from` and `to` of a search into moments of the reader's time zone; both days are
 * included.
 */
export function wholeDays(filter: Readonly<Record<string, string>>): Record<string, string> {
  const { from, to, ...others } = filter;
  return { ...others, ...from && { from: getStart(from) }, ...to && { to: getStart(to, 1) } };
}

/** Returns an invalid day unchanged, so that the API reports it. */
function getStart(day: string, daysLater = 0): string {
  return isDay(day) ? new Date(`${later(day, daysLater)}T00:00`).toISOString() : day;
}
