/** How many calls a PA takes in a second of its clock; 0: any number. */
export interface Quota {
  /** Counts a call; false when it is one too many. */
  take(perSecond: number): boolean;
}

/** A fixed window, as gateways count: at the turn of the second all of it may be used again. */
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
