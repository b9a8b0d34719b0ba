import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { AppError } from "#src/kernel/errors.ts";

/**
 * Cause of a child process' end before its answer.
 * - `killed`: ended from outside, or never ran; the work is not at fault.
 * - `crash`, `memory`, `deadline`.
 * - `garbage`: its output is not an answer.
 * - `start`: it could not be started.
 * - `budget`: too many ended recently, so none was started.
 */
export type DeathCause =
  | "killed"
  | "crash"
  | "memory"
  | "deadline"
  | "garbage"
  | "start"
  | "budget";

/** End of a child process before its answer. */
export interface ChildExit {
  readonly cause: DeathCause;
  /** Known details: exit code, signal or the error in its answer. */
  readonly how: Sentence;
  /** Last console output, for users; its content is untrusted. */
  readonly said: string;
}

/** Deaths that the same work would cause again; other deaths may have a cause outside the work. */
const CAUSED_BY_WORK: ReadonlySet<DeathCause> = new Set(["deadline", "memory", "garbage"]);

/**
 * The process ended before it answered. The error is `refused` if the work itself ended the process, else
 * `unavailable`. The work is not done in another process, since it would end that one too. A task that dies twice
 * is quarantined.
 */
export class ChildDied extends AppError {
  readonly death: ChildExit;

  constructor(program: string, death: ChildExit, options: { readonly retryAfter?: number } = {}) {
    const isRefused = CAUSED_BY_WORK.has(death.cause);
    const sentence = isRefused
      ? say`The process for ${program} was stopped: ${death.how}. Send less at once.`
      : say`The process for ${program} did not answer: ${death.how}`;
    super(isRefused ? "refused" : "unavailable", sentence, options);
    this.death = death;
  }
}
