/** Circuit breakers and rate limits of external peers, shared by all processes. */
export {
  admitCall,
  type BreakerSettings,
  breakerSql,
  closeBreaker,
  readBreaker,
  recordAnswer,
  recordFailure,
  returnTrial,
} from "./breaker_store.ts";
export { type Pace, takeRateSlot } from "./pace_store.ts";
