import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { AppError } from "#src/kernel/errors.ts";

/**
 * How a child process ended before it answered. `killed`: by somebody else, or it never ran; it is no fault of the work.
 * `crash` · `memory` · `deadline` · `garbage`: it wrote what is no answer · `start`: it could not be started · `budget`: too
 * many ended lately, none was started.
 */
export type DeathCause =
  | "killed"
  | "crash"
  | "memory"
  | "deadline"
  | "garbage"
  | "start"
  | "budget";

/** How a child process ended before it answered. */
export interface Death {
  readonly cause: DeathCause;
  /** What is known of it: exit code, signal, what was wrong with its answer. */
  readonly how: Sentence;
  /** The last it said on its console, for people; written by a stranger. */
  readonly said: string;
}

/** The work was not done because the process it was given to ended. A task it happens to twice is set aside. */
export class ChildDied extends AppError {
  readonly death: Death;

  constructor(program: string, death: Death, options: { readonly retryAfter?: number } = {}) {
    super("unavailable", say`The process for ${program} did not answer: ${death.how}`, options);
    this.death = death;
  }
}
