const MAX_WAIT_S = 24 * 3600;

/**
 * Reads `Retry-After` in either form (RFC 9110 §10.2.3) as seconds, a day at most; a date counts from the
 * answer's own `Date`. Undefined for other values.
 */
export function readRetryAfter(
  headers: { get(name: string): string | null | undefined },
): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value), MAX_WAIT_S);
  const wait = (Date.parse(value) - Date.parse(headers.get("date") ?? "")) / 1000;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, Math.ceil(wait)), MAX_WAIT_S);
}
