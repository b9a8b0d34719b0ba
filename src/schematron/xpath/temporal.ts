import { cannotCast } from "./faults.ts";
import { Duration, Temporal, type TemporalType } from "./items.ts";

const DAY = 86_400_000;
const ZONE = "(Z|[+-](?:0\\d|1[0-3]):[0-5]\\d|[+-]14:00)?";
const DATE = "(-?(?:[1-9]\\d{3,5}|0\\d{3}))-(\\d\\d)-(\\d\\d)";
const TIME = "(\\d\\d):(\\d\\d):(\\d\\d(?:\\.\\d+)?)";
const FORMS: Readonly<Record<TemporalType, RegExp>> = {
  date: new RegExp(`^${DATE}${ZONE}$`),
  dateTime: new RegExp(`^${DATE}T${TIME}${ZONE}$`),
  time: new RegExp(`^${TIME}${ZONE}$`),
  gYear: new RegExp(`^(-?\\d{4,6})${ZONE}$`),
  gYearMonth: new RegExp(`^(-?\\d{4,6})-(\\d\\d)${ZONE}$`),
};
const DURATION =
  /^(-)?P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Reads a value of the type; impossible days such as 2025-02-30 are refused. */
export function parseTemporal(type: TemporalType, text: string): Temporal {
  const match = FORMS[type].exec(text);
  if (match === null) throw cannotCast(text, `xs:${type}`);
  const parts = match.slice(1, -1).map((part) => Number(part ?? 0));
  const [year = 1970, month = 1, day = 1, ...clock] = type === "time"
    ? [1970, 1, 1, ...parts]
    : parts;
  const date = utc(year, month, day);
  const [hour = 0, minute = 0, second = 0] = clock;
  const midnight = hour === 24 && minute === 0 && second === 0;
  if (
    date === undefined || (hour > 23 && !midnight) || minute > 59 || second >= 60
  ) throw cannotCast(text, `xs:${type}`);
  const ms = date + hour * 3_600_000 + minute * 60_000 + second * 1000;
  return new Temporal(type, type === "time" && midnight ? 0 : ms, computeOffset(match.at(-1)));
}

function utc(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function computeOffset(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === "") return undefined;
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith("-") ? -minutes : minutes;
}

export function parseDuration(text: string): Duration {
  const match = DURATION.exec(text);
  if (match === null || /[PT]$/.test(text)) throw cannotCast(text, "xs:duration");
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(2).map((part) => Number(part ?? 0));
  const sign = match[1] === undefined ? 1 : -1;
  const ms = days * DAY + hours * 3_600_000 + minutes * 60_000 + seconds * 1000;
  return new Duration(sign * (years * 12 + months), sign * ms);
}

/** Returns the instant; a value without time zone is taken as UTC, so that results do not depend on the machine. */
export function instant(value: Temporal): number {
  return value.ms - (value.offset ?? 0) * 60_000;
}

export function formatTemporal(value: Temporal): string {
  const date = new Date(value.ms);
  const year = date.getUTCFullYear();
  const years = (year < 0 ? "-" : "") + String(Math.abs(year)).padStart(4, "0");
  const month = twoDigits(date.getUTCMonth() + 1);
  const day = `${years}-${month}-${twoDigits(date.getUTCDate())}`;
  const milliseconds = date.getUTCMilliseconds();
  const fraction = milliseconds === 0
    ? ""
    : `.${String(milliseconds).padStart(3, "0").replace(/0+$/, "")}`;
  const time = `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}:${
    twoDigits(date.getUTCSeconds())
  }${fraction}`;
  const zone = formatOffset(value.offset);
  switch (value.type) {
    case "date":
      return day + zone;
    case "dateTime":
      return `${day}T${time}${zone}`;
    case "time":
      return time + zone;
    case "gYear":
      return years + zone;
    case "gYearMonth":
      return `${years}-${month}${zone}`;
  }
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

function formatOffset(offset: number | undefined): string {
  if (offset === undefined) return "";
  if (offset === 0) return "Z";
  const minutes = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(minutes / 60))}:${
    twoDigits(minutes % 60)
  }`;
}

export function formatDuration(value: Duration): string {
  const { months, ms } = value;
  if (months === 0 && ms === 0) return "PT0S";
  const sign = months < 0 || ms < 0 ? "-" : "";
  const years = Math.floor(Math.abs(months) / 12);
  const rest = Math.abs(ms);
  const seconds = (rest % 60_000) / 1000;
  const date = part(years, "Y") + part(Math.abs(months) % 12, "M") +
    part(Math.floor(rest / DAY), "D");
  const time = part(Math.floor((rest % DAY) / 3_600_000), "H") +
    part(Math.floor((rest % 3_600_000) / 60_000), "M") + part(seconds, "S");
  return `${sign}P${date}${time === "" ? "" : `T${time}`}`;
}

function part(value: number, unit: string): string {
  return value === 0 ? "" : `${value}${unit}`;
}

/** Adds calendar months (the day is cut to the length of the month) and a time span. */
export function addDuration(value: Temporal, duration: Duration, sign: 1 | -1): Temporal {
  const date = new Date(value.ms);
  if (duration.months !== 0) {
    const day = date.getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + sign * duration.months);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    date.setUTCDate(Math.min(day, last));
  }
  const ms = date.getTime() + sign * duration.ms;
  return new Temporal(
    value.type,
    value.type === "date" ? Math.floor(ms / DAY) * DAY : ms,
    value.offset,
  );
}
