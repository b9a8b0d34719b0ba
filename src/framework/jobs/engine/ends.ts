import { AppError, toMessage } from "#src/kernel/errors.ts";
import { delay } from "#src/kernel/delay.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { isAway, isTransient } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";

/** Why a doing is ended before it ended by itself. */
export class Ended extends Error {
  readonly why: "aborted" | "timeout" | "stopping" | "lost";
  readonly sentence: Sentence;
  constructor(why: Ended["why"], sentence: Sentence) {
    super(why);
    this.why = why;
    this.sentence = sentence;
  }
}

/** Why a step failed. */
export interface StepFailure {
  readonly code: string;
  readonly message: Sentence;
  readonly retryable: boolean;
}

/** Reason for a worker to stop writing: another worker owns the run. */
export const LOST = new Ended("lost", say`The run is in other hands`);

/** Describes an error as a failure. Unexpected errors are logged, and reported without their message. */
export function describeFailure(
  error: unknown,
  { isIdempotent, log, run }: { isIdempotent: boolean; log: Log; run: string },
): StepFailure {
  if (error instanceof Ended) {
    return {
      code: error.why,
      message: error.sentence,
      retryable: isIdempotent && error.why === "timeout",
    };
  }
  if (error instanceof AppError) {
    const { code, sentence } = error;
    return { code, message: sentence, retryable: isRetryable(error, isIdempotent) };
  }
  log.error("job.step.broke", { run, error: toMessage(error) });
  return {
    code: "internal",
    message: say`An error nobody foresaw; the log has it`,
    retryable: false,
  };
}

/** Returns true for a lost connection to our own database; the run resumes when the database is back. */
export function isInterruption(error: unknown): boolean {
  return !(error instanceof AppError) && isAway(error);
}

/**
 * Returns true when another attempt may succeed. For a step that cannot run twice, this includes only failures without
 * any effect.
 */
function isRetryable({ code, details }: AppError, isIdempotent: boolean): boolean {
  if (code === "unavailable" || code === "throttled") return true;
  if (code === "overdue" || code === "upstream") {
    const status = details["upstream_status"];
    if (typeof status === "number" && status < 500 && status !== 429) return false;
    return isIdempotent || status === 429 || status === 503;
  }
  return false;
}

const AGAIN_MS = 500;
const PATIENCE_MS = 60_000;

/** Runs repeatable work with our own database; waits while the database is briefly unavailable. */
export async function steadily<T>(work: () => Promise<T>): Promise<T> {
  for (const until = performance.now() + PATIENCE_MS;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || performance.now() > until) throw error;
      await delay(AGAIN_MS);
    }
  }
}
