import { say } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { recordUse } from "#src/platform/connection_states/mod.ts";
import { PaError } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import {
  admitCall,
  recordAnswer,
  recordFailure,
  returnTrial,
} from "#src/platform/outbound_limits/mod.ts";

export type BreakerDeps = Pick<Deps, "db" | "log" | "settings">;

/** Admission of a call by the breaker of a PA. A trial call finds out whether the PA answers again. */
export interface Admission {
  readonly trial: boolean;
}

/** Pause of other callers while one makes the trial call to a PA. */
const TRIAL_LOOK_MS = 5_000;

/**
 * Checks if the PA may be called now. Throws `RetryLater`, which consumes no attempt, while it may not. Waiting calls
 * return spread over 110 % of the remaining time.
 */
export async function admit({ db, settings }: BreakerDeps, pa: string): Promise<Admission> {
  const { openMs } = settings.submission.breaker;
  const breaker = await admitCall(db, pa, openMs);
  if (!breaker.isOpen) return { trial: breaker.trial };
  const waitMs = breaker.state === "trial"
    ? Math.min(breaker.waitMs, TRIAL_LOOK_MS, openMs / 4)
    : breaker.waitMs;
  const spread = Math.random() * Math.max(20, waitMs / 10);
  throw new RetryLater(say`${pa} is not called for now`, {
    delayMs: Math.ceil(waitMs + spread),
    free: true,
  });
}

/** Ends an admission after which no call was made. */
export async function withdraw(
  { db }: BreakerDeps,
  pa: string,
  { trial }: Admission,
): Promise<void> {
  if (trial) await returnTrial(db, pa);
}

/** Reports that the PA answered, with any verdict. `troubled` means that it has failures on record. */
export async function reportAnswer(
  { db, log }: BreakerDeps,
  pa: string,
  { trial, troubled }: Admission & { troubled: boolean },
): Promise<void> {
  await recordUse({ db, log }, { kind: "pa" });
  if (!trial && !troubled) return;
  await recordAnswer(db, pa, { trial });
  if (trial) log.info("pa.breaker.closed", { pa });
}

/**
 * Reports a failure of the PA. One failure does not mark the connection, because it may concern one invoice; failures
 * that open the breaker do. A requested pause (`Retry-After`) applies to all processes immediately. */
export async function reportFailure(
  { db, log, settings }: BreakerDeps,
  pa: string,
  error: PaError,
): Promise<void> {
  const pauseMs = error.outcome === "throttled" && error.retryAfter !== undefined
    ? error.retryAfter * 1000
    : undefined;
  const opened = await recordFailure(db, pa, {
    ...settings.submission.breaker,
    pauseMs,
    reason: error.message,
  });
  if (!opened) return;
  await recordUse({ db, log }, { kind: "pa" }, error);
  log.warn("pa.breaker.open", { pa, reason: error.message, pauseMs });
}

/** Reports a failed call to the breaker: as trouble, as an answer of the PA, or not at all. */
export async function reportError(
  deps: BreakerDeps,
  pa: string,
  { error, ...standing }: Admission & { troubled: boolean; error: unknown },
): Promise<void> {
  if (!(error instanceof PaError) || error.isGivenUp) {
    return await withdraw(deps, pa, standing);
  }
  const isAnswer = error.outcome === "refused" || error.alreadyExists;
  if (isAnswer) await reportAnswer(deps, pa, standing);
  else await reportFailure(deps, pa, error);
}
