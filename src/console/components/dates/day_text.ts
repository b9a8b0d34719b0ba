/** What is typed and shown: a day, a moment of the reader's own time, a time of day. */
export type Kind = "day" | "moment" | "time";

const DAY = /^(\d{4})-(\d\d)-(\d\d)/;
const TYPED_DAY = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})$/;
const TYPED_SHORT = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d\d)$/;
/** Without anything between them, the digits of fewer could be shared out in several ways: `221126` is no day of 1126. */
const TYPED_DIGITS = /^(\d\d)(\d\d)(\d{4})$/;
const SHORT_DIGITS = /^(\d\d)(\d\d)(\d\d)$/;
const TYPED_TIME = /^(\d{1,2})\s?[:h]\s?(\d\d)$/i;

/** `22/11/2026`, `22/11/2026 14:30` or `14:30` of a value; both languages write them so. Anything else stays as it is. */
export function textOf(kind: Kind, value: string): string {
  if (kind === "time") return value.slice(0, 5);
  const [, year, month, day] = DAY.exec(value) ?? [];
  if (year === undefined) return value;
  const time = kind === "moment" ? ` ${value.slice(11, 16)}` : "";
  return `${day}/${month}/${year}${time}`;
}

/**
 * The value of what is typed: `2026-11-22`, `2026-11-22T14:30` or `14:30`; empty of nothing, undefined of what is none. A
 * year of two digits is taken `whenDone` alone: it may be the beginning of one of four.
 */
export function valueOf(kind: Kind, typed: string, whenDone = false): string | undefined {
  const text = typed.trim();
  if (text === "") return "";
  if (kind === "time") return timeOf(text);
  if (kind === "day") return dayOf(text, whenDone);
  const [, first = "", rest = ""] = /^([^\sT]+)(?:[ T]+(.+))?$/.exec(text) ?? [];
  const day = dayOf(first, whenDone);
  const time = rest === "" ? "00:00" : timeOf(rest);
  return day && time && (rest !== "" || whenDone) ? `${day}T${time}` : undefined;
}

function dayOf(text: string, whenDone: boolean): string | undefined {
  const [, day = "", month = "", year = ""] = TYPED_DAY.exec(text) ?? TYPED_DIGITS.exec(text) ??
    (whenDone ? TYPED_SHORT.exec(text) ?? SHORT_DIGITS.exec(text) : null) ?? [];
  const [, ...parts] = DAY.exec(text) ?? [];
  const iso = parts.length && text.length === 10
    ? text
    : `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDay(iso) ? iso : undefined;
}

function timeOf(text: string): string | undefined {
  const [, hour = "", minute = ""] = TYPED_TIME.exec(text) ?? [];
  const isTime = hour !== "" && Number(hour) < 24 && Number(minute) < 60;
  return isTime ? `${hour.padStart(2, "0")}:${minute}` : undefined;
}

/** The years of four digits: of others neither a calendar nor the wire has days. */
const [FIRST, LAST] = ["1000-01-01", "9999-12-31"];

/** Whether there is such a day. */
export function isDay(iso: string): boolean {
  const at = new Date(`${iso}T00:00:00Z`);
  return iso >= FIRST && !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === iso;
}

/** So many days later, or earlier. */
export function later(iso: string, days: number): string {
  const at = new Date(`${iso}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return dayAt(at);
}

/** So many months later, on the same day or the last of a shorter month. */
export function monthsLater(iso: string, months: number): string {
  const [year = 0, month = 1, day = 1] = iso.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const at = new Date(Date.UTC(year, month - 1 + months, Math.min(day, last)));
  return dayAt(at);
}

/** No day is later or earlier than the last or the first there is. */
function dayAt(at: Date): string {
  const year = at.getUTCFullYear();
  return year < 1000 ? FIRST : year > 9999 ? LAST : at.toISOString().slice(0, 10);
}

/** Of the week, from Monday, which is 0. */
export function weekdayOf(iso: string): number {
  return (new Date(`${iso}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** As the reader's calendar has it. */
export function today(): string {
  const now = new Date();
  const two = (it: number) => String(it).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** `from` and `to` of a search, which are days of the reader, as moments: both days count whole. */
export function wholeDays(filter: Readonly<Record<string, string>>): Record<string, string> {
  const { from, to, ...others } = filter;
  return { ...others, ...from && { from: startOf(from) }, ...to && { to: startOf(to, 1) } };
}

/** What is no day stays as it is, and the API says so. */
function startOf(day: string, daysLater = 0): string {
  return isDay(day) ? new Date(`${later(day, daysLater)}T00:00`).toISOString() : day;
}
