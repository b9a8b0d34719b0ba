import { useRead } from "../api/queries.ts";

/** Nothing announces the health of the PA. */
const LOOK_MS = 30_000;
const SOONEST_MS = 5_000;
/** An attempt takes a moment, after which the next one has another time. */
const ATTEMPT_MS = 1_000;

/** How the PA is; where it is to be tried at a time, read again after that. */
export function usePaHealth() {
  return useRead("/api/pa/health", {}, {
    everyMs: (last) =>
      last?.retryInMs === undefined
        ? LOOK_MS
        : Math.min(LOOK_MS, Math.max(SOONEST_MS, last.retryInMs + ATTEMPT_MS)),
  });
}
