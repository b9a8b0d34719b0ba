const MINUTE_MS = 60_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Checks that this runtime knows the zone. */
export function isZone(zone: string): boolean {
  try {
    getFormat(zone);
    return true;
  } catch {
    return false;
  }
}

/** Returns the offset of the zone from UTC at a moment, in milliseconds. */
export function offsetAt(at: number, zone: string): number {
  const parts = new Map(getFormat(zone).formatToParts(at).map((it) => [it.type, Number(it.value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  const shown = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return shown - Math.floor(at / 1000) * 1000;
}

/** Returns the moment between two at which clocks of the zone change, to the minute. */
export function turnBetween(from: number, to: number, zone: string): number {
  const before = offsetAt(from, zone);
  let [low, high] = [from, to];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(middle, zone) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** Returns a moment as clocks of the zone show it, with their offset: `2027-03-28T03:00:00+02:00`. */
export function zonedText(at: Date, zone: string): string {
  const offset = offsetAt(at.getTime(), zone);
  const local = new Date(at.getTime() + offset).toISOString().slice(0, 19);
  const minutes = Math.abs(Math.round(offset / MINUTE_MS));
  const two = (it: number) => String(it).padStart(2, "0");
  const sign = offset < 0 ? "-" : "+";
  return `${local}${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function getFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, format);
  return format;
}
