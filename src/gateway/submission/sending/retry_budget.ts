/** Limit of retries to a small part of the traffic, to protect a PA in trouble. One per process. */
export interface RetryBudget {
  /** A first attempt: a tenth of a retry is earned. */
  earn(): void;
  /** Milliseconds to wait before a retry; 0 when it may be made now, and is counted. */
  spend(): number;
}

const RATIO = 0.1;

/** Token bucket: a tenth of the first attempts plus `perSecond`, saved for at most two seconds. */
export function newRetryBudget(
  { perSecond, now }: { perSecond: number; now: () => number },
): RetryBudget {
  const most = 2 * perSecond;
  let tokens = most;
  let filledAt = now();
  return {
    earn() {
      tokens = Math.min(most, tokens + RATIO);
    },
    spend() {
      const at = now();
      tokens = Math.min(most, tokens + (at - filledAt) / 1000 * perSecond);
      filledAt = at;
      if (tokens < 1) return Math.ceil((1 - tokens) / perSecond * 1000 + Math.random() * 1000);
      tokens -= 1;
      return 0;
    },
  };
}
