/** Status of a run. */
export const RUN_STATUSES = ["running", "succeeded", "failed", "aborted"] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/**
 * Phase of a run that has not ended: it waits for another run, executes or pauses between steps, or is being
 * aborted.
 */
export const RUN_PHASES = ["queued", "executing", "aborting"] as const;
export type RunPhase = (typeof RUN_PHASES)[number];

/** Trigger of a run: a schedule, a user's request, a replay or a step of another run. */
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

/** Sections in the order of execution. */
export const STEP_SECTIONS = ["steps", "on_failure", "finally"] as const;
export type StepSection = (typeof STEP_SECTIONS)[number];

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type JobLogLevel = (typeof LOG_LEVELS)[number];
