const MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const BYTES = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** A number and its unit, since a bare number is the classic mistake. */
export const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;
export const SIZE = /^(\d{1,9})(B|KiB|MiB|GiB)$/;

/** `15s` in milliseconds. Throws for what `DURATION` does not match. */
export function milliseconds(duration: string): number {
  return amountOf(DURATION, duration, MS);
}

/** 24 days. Timers of the runtime count in 31 bits: one of more milliseconds would be over at once. */
export const LONGEST_TIMER_MS = 24 * MS.d;

/** `15s` in milliseconds for a timer of this process, which waits 24 days at most. */
export function timerMs(duration: string): number {
  return Math.min(milliseconds(duration), LONGEST_TIMER_MS);
}

/** `5MiB` in bytes. Throws for what `SIZE` does not match. */
export function bytesOf(size: string): number {
  return amountOf(SIZE, size, BYTES);
}

function amountOf(pattern: RegExp, text: string, units: Readonly<Record<string, number>>): number {
  const [, number, unit] = pattern.exec(text) ?? [];
  const factor = unit === undefined ? undefined : units[unit];
  if (number === undefined || factor === undefined) throw new Error(`${text} has no known unit`);
  return Number(number) * factor;
}
