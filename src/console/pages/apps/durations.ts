const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Longest timer: one of more than 2³¹ ms would fire at once, again and again. */
const MAX_TIMER_MS = 24 * 86_400_000;

/** Converts a duration such as `60s`, `2m` or `667ms` into milliseconds; returns 0 for other text. */
export function milliseconds(duration: string): number {
  const [, count, unit = ""] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  return Math.min(Number(count ?? 0) * (UNITS[unit] ?? 0), MAX_TIMER_MS);
}
