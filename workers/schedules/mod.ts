import type { Deps } from "#src/deps.ts";
import { scheduleHousekeeping } from "./housekeeping.ts";
import { scheduleJobs } from "./jobs.ts";
import { scheduleLocks } from "./locks.ts";
import { schedulePolls } from "./poll.ts";
import { scheduleTurns } from "./turns.ts";

/** Periodic work of a worker until the signal aborts. */
export const SCHEDULES = {
  housekeeping: scheduleHousekeeping,
  jobs: scheduleJobs,
  locks: scheduleLocks,
  poll: schedulePolls,
  turns: scheduleTurns,
} as const satisfies Record<string, (deps: Deps, signal: AbortSignal) => Promise<void>>;
