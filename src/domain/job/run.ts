/** How a run stands. */
export const RUN_STATUSES = ["running", "succeeded", "failed", "aborted"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Of a run that has not ended: it waits for another to end, is worked on or rests between two steps, or is being ended. */
export const RUN_PHASES = ["queued", "executing", "aborting"] as const;
export type RunPhase = (typeof RUN_PHASES)[number];

/** What began it: a schedule, a person who asked for it, a replay, a step of another run. */
export const RUN_TRIGGERS = ["schedule", "manual", "replay", "job"] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

export const STEP_STATUSES = [
  "pending",
  "running",
  "succeeded",
  "failed",
  "skipped",
  "aborted",
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** In the order they come. */
export const STEP_SECTIONS = ["steps", "on_failure", "finally"] as const;
export type StepSection = (typeof STEP_SECTIONS)[number];

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
