import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { PaError } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import {
  readBreaker,
  recordAnswer,
  recordFailure,
  returnTrial,
  takeTrial,
} from "#src/features/peers/mod.ts";

export type BreakerNeeds = Pick<Deps, "db" | "log" | "settings">;

/** What the breaker of a PA says about a call: made, or made to find out whether the PA answers again. */
export interface Admission {
  readonly trial: boolean;
}

/** While somebody else tries a PA, the others look again this soon. */
const TRIAL_LOOK_MS = 5_000;

/**
 * Asks whether the PA may be called now. Throws `RetryLater`, which consumes no attempt, while it may not: the waiting
 * come back spread over a tenth more than the time left.
 */
export async function admit({ db, settings }: BreakerNeeds, pa: string): Promise<Admission> {
  const breaker = await readBreaker(db, pa);
  if (!breaker) return { trial: false };
  const { openMs } = settings.submission.breaker;
  if (!breaker.waitMs && await takeTrial(db, pa, openMs)) return { trial: true };
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
  { db }: BreakerNeeds,
  pa: string,
  { trial }: Admission,
): Promise<void> {
  if (trial) await returnTrial(db, pa);
}

/** The PA answered, with whatever verdict. `troubled`: failures of it are on record. */
export async function reportAnswer(
  { db, log }: BreakerNeeds,
  pa: string,
  { trial, troubled }: Admission & { troubled: boolean },
): Promise<void> {
  if (!trial && !troubled) return;
  await recordAnswer(db, pa, { trial });
  if (trial) log.info("pa.breaker.closed", { pa });
}

/** The PA failed. A pause it asks for (`Retry-After`) holds for everybody at once. */
export async function reportFailure(
  { db, log, settings }: BreakerNeeds,
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
  if (opened) log.warn("pa.breaker.open", { pa, reason: error.message, pauseMs });
}

/** Calls that this process ended by itself. */
const GIVEN_UP: ReadonlySet<string> = new Set(["ABORTED", "HELD_UP"]);

/** What a failed call says about the PA: trouble, an answer all the same, or nothing. */
export async function reportError(
  needs: BreakerNeeds,
  pa: string,
  { error, ...standing }: Admission & { troubled: boolean; error: unknown },
): Promise<void> {
  if (!(error instanceof PaError) || GIVEN_UP.has(error.errorCode ?? "")) {
    return await withdraw(needs, pa, standing);
  }
  const isAnswer = error.outcome === "refused" || error.alreadyExists;
  if (isAnswer) await reportAnswer(needs, pa, standing);
  else await reportFailure(needs, pa, error);
}
