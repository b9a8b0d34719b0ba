import { AppError, messageOf } from "#src/kernel/errors.ts";
import { delay } from "#src/kernel/delay.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
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
export interface Failure {
  readonly code: string;
  readonly message: Sentence;
  readonly retryable: boolean;
}

/** The run is in other hands by now; nothing more is written by these. */
export const LOST = new Ended("lost", say`The run is in other hands`);

/** What is known of an error; what is no failure anybody foresaw is logged, and told without its words. */
export function failureOf(
  error: unknown,
  { isIdempotent, log, run }: { isIdempotent: boolean; log: Log; run: string },
): Failure {
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
  log.error("job.step.broke", { run, error: messageOf(error) });
  return {
    code: "internal",
    message: say`An error nobody foresaw; the log has it`,
    retryable: false,
  };
}

/** Our own database went away in the middle: the run is taken up again when it is back. */
export function isInterruption(error: unknown): boolean {
  return !(error instanceof AppError) && isAway(error);
}

/** What may go well another time; of what cannot be done twice only what surely had no effect. */
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

/** Does something with our own database that may be done twice; waits for it where it is not there for a moment. */
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
