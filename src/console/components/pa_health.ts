import { useMay } from "../api/me.tsx";
import { useRead } from "../api/queries.ts";

/** Polling interval: no event reports the health of the PA. */
const LOOK_MS = 30_000;
const SOONEST_MS = 5_000;
/** Time after the next planned attempt until its result is known. */
const ATTEMPT_MS = 1_000;

/** Reads the health of the PA, and reads it again after the next planned attempt. */
export function usePaHealth() {
  return useRead("/api/pa/health", {}, {
    when: useMay()("invoices:read"),
    everyMs: (last) =>
      last?.retryInMs === undefined
        ? LOOK_MS
        : Math.min(LOOK_MS, Math.max(SOONEST_MS, last.retryInMs + ATTEMPT_MS)),
  });
}
