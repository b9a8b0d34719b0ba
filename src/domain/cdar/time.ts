/**
 * Reads UNTDID 2379 digits (102, 203, 204) or an ISO text as `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm:ss`; undefined for
 * anything else.
 */
export function readTime(text: string): string | undefined {
  const compact = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?$/.exec(text);
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?.*)?$/.exec(text);
  const parts = compact ?? iso;
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const date = `${year}-${month}-${day}`;
  return hour === undefined ? date : `${date}T${hour}:${minute}:${second ?? "00"}`;
}

/**
 * Formats `yyyyMMddHHmmss` (format 204); a date alone is its midnight. The zone is dropped, since messages have
 * none.
 */
export function writeDateTime(iso: string): string {
  return digits(iso).padEnd(14, "0").slice(0, 14);
}

/** Formats `yyyyMMdd` (format 102). */
export function writeDate(iso: string): string {
  return digits(iso).slice(0, 8);
}

function digits(iso: string): string {
  return iso.replace(/(?:Z|[+-]\d{2}:?\d{2})$/, (zone, offset) => offset > 10 ? "" : zone)
    .replaceAll(/\D/g, "");
}
