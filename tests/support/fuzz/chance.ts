/** Random decisions of the fuzzer; the same seed gives the same decisions. */
export interface Chance {
  /** Returns an integer from 0 up to, but excluding, `end`. */
  below(end: number): number;
  /** Returns true in one of `n` cases. */
  oneIn(n: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Creates a generator with Mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = state + 0x6d2b79f5 >>> 0;
    let it = Math.imul(state ^ state >>> 15, state | 1);
    it ^= it + Math.imul(it ^ it >>> 7, it | 61);
    return ((it ^ it >>> 14) >>> 0) / 0x1_0000_0000;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (from) => {
      const found = from[below(from.length)];
      if (found === undefined && !from.length) throw new Error("There is nothing to pick from");
      return found as (typeof from)[number];
    },
  };
}
