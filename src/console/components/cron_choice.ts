export const CRON_KINDS = [
  "never",
  "minutes",
  "hourly",
  "daily",
  "workdays",
  "weekly",
  "monthly",
  "expert",
] as const;

/** Repeated time as choices; fields of other kinds contain their first values. */
export interface CronChoice {
  readonly kind: (typeof CRON_KINDS)[number];
  /** Local time, `06:30`. */
  readonly time: string;
  /** 0 is Sunday. */
  readonly weekday: string;
  readonly day: string;
  /** Minutes between two times of the hour. */
  readonly every: string;
}

/** Offered minutes between two times. */
export const EVERY_MINUTES = ["5", "10", "15", "20", "30"];

const FRESH = { time: "06:00", weekday: "1", day: "1", every: "15" } as const;

/** Reads five cron fields as choices; `expert` if no choice says the same. */
export function parseCron(text: string): CronChoice {
  if (text.trim() === "") return { kind: "never", ...FRESH };
  const often = readWithinHour(text);
  if (often && "every" in often && EVERY_MINUTES.includes(String(often.every))) {
    return { ...FRESH, kind: "minutes", every: String(often.every) };
  }
  if (often && "minute" in often && often.minute === 0) return { ...FRESH, kind: "hourly" };
  const [, minute = "", hour = "", day = "", weekday = ""] =
    /^(\d{1,2}) (\d{1,2}) (\*|\d{1,2}) \* (\*|1-5|[0-7])$/.exec(text.trim()) ?? [];
  const isTime = minute !== "" && Number(minute) < 60 && Number(hour) < 24;
  if (!isTime) return { kind: "expert", ...FRESH };
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (day !== "*") {
    const isMonthly = weekday === "*" && Number(day) >= 1 && Number(day) <= 28;
    return { ...FRESH, kind: isMonthly ? "monthly" : "expert", time, day: String(Number(day)) };
  }
  if (weekday === "*") return { ...FRESH, kind: "daily", time };
  if (weekday === "1-5") return { ...FRESH, kind: "workdays", time };
  return { ...FRESH, kind: "weekly", time, weekday: weekday === "7" ? "0" : weekday };
}

/** Writes the choice as five cron fields; empty for `never`. */
export function writeCron({ kind, time, weekday, day, every }: CronChoice): string {
  if (kind === "never") return "";
  if (kind === "minutes") return `*/${every} * * * *`;
  if (kind === "hourly") return "0 * * * *";
  const [hour, minute] = time.split(":").map(Number);
  const days = kind === "monthly" ? day : "*";
  const weekdays = kind === "workdays" ? "1-5" : kind === "weekly" ? weekday : "*";
  return `${minute} ${hour} ${days} * ${weekdays}`;
}

/** Reads a time that repeats within the hour: every so many minutes, or once an hour at a minute. */
export function readWithinHour(
  text: string,
): { readonly every: number } | { readonly minute: number } | undefined {
  const [all, step, minute] = /^(?:\*(?:\/(\d{1,2}))?|(\d{1,2})) \* \* \* \*$/.exec(text.trim()) ??
    [];
  if (all === undefined) return undefined;
  if (minute !== undefined) return Number(minute) < 60 ? { minute: Number(minute) } : undefined;
  const every = Number(step ?? 1);
  return every > 0 && 60 % every === 0 ? { every } : undefined;
}

const TIME = /^(\d{1,2})[:h](\d{2})$/;

/** Returns `HH:MM` for a time such as `6:00` or `6h00`; undefined for anything else. */
export function parseTime(typed: string): string | undefined {
  const [, hour = "", minute = ""] = TIME.exec(typed.trim()) ?? [];
  const isTime = hour !== "" && Number(hour) < 24 && Number(minute) < 60;
  return isTime ? `${hour.padStart(2, "0")}:${minute}` : undefined;
}
