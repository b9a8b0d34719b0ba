const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A timer of more than 2³¹ ms would be over at once, again and again. */
const LONGEST_TIMER_MS = 24 * 86_400_000;

/** For a timer, of `60s`, `2m`, `667ms`; 0 of anything else. */
export function milliseconds(duration: string): number {
  const [, count, unit = ""] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  return Math.min(Number(count ?? 0) * (UNITS[unit] ?? 0), LONGEST_TIMER_MS);
}
