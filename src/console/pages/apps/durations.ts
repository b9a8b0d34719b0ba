const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Of `60s`, `2m`, `667ms`; 0 of anything else. */
export function milliseconds(duration: string): number {
  const [, count, unit = ""] = /^(\d+)(ms|s|m|h|d)$/.exec(duration) ?? [];
  return Number(count ?? 0) * (UNITS[unit] ?? 0);
}
