const MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const BYTES = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** A number and its unit, since a bare number is the classic mistake. */
export const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;
export const SIZE = /^(\d{1,9})(B|KiB|MiB|GiB)$/;

/** Converts `15s` to milliseconds. Throws for a text that `DURATION` does not match. */
export function milliseconds(duration: string): number {
  return readAmount(DURATION, duration, MS);
}

/** 24 days. Timers of the runtime count in 31 bits: a longer one would end at once. */
export const MAX_TIMER_MS = 24 * MS.d;

/** Converts `15s` to milliseconds for a timer of this process, which waits 24 days at most. */
export function timerMs(duration: string): number {
  return Math.min(milliseconds(duration), MAX_TIMER_MS);
}

/** Converts `5MiB` to bytes. Throws for a text that `SIZE` does not match. */
export function parseBytes(size: string): number {
  return readAmount(SIZE, size, BYTES);
}

function readAmount(
  pattern: RegExp,
  text: string,
  units: Readonly<Record<string, number>>,
): number {
  const [, number, unit] = pattern.exec(text) ?? [];
  const factor = unit === undefined ? undefined : units[unit];
  if (number === undefined || factor === undefined) throw new Error(`${text} has no known unit`);
  return Number(number) * factor;
}
