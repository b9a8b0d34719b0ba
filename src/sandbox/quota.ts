/** Limit of the calls a PA accepts per second of its clock; 0 means no limit. */
export interface Quota {
  /** Counts a call; returns false if it exceeds the limit. */
  take(perSecond: number): boolean;
}

/** Creates a fixed-window limit, as gateways use: each second starts with the full quota. */
export function newQuota(now: () => number): Quota {
  let second = NaN;
  let used = 0;
  return {
    take(perSecond) {
      const present = Math.floor(now() / 1000);
      if (present !== second) [second, used] = [present, 0];
      used += 1;
      return perSecond === 0 || used <= perSecond;
    },
  };
}
