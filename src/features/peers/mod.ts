/** How often and when peers outside are called, the same for all processes: breakers, and calls per time. */
export {
  type BreakerSettings,
  readBreaker,
  recordAnswer,
  recordFailure,
  returnTrial,
  takeTrial,
} from "./breaker_store.ts";
export { type Pace, takePlace } from "./pace_store.ts";
export { breakerSql } from "./views.ts";
