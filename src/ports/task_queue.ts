import { type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import type { z } from "zod";
import type { Db } from "./db.ts";

/** Workers may serve only some queues, so that each kind of work can be scaled separately. */
export const QUEUES = [
  "processing",
  "submission",
  "polling",
  "sftp",
  "notification",
  "jobs",
] as const;
/** One of `QUEUES`. */
export type QueueName = (typeof QUEUES)[number];

/**
 * States of a task that is stored but not tried again: `dead` has no attempts left, `poisoned` caused the death
 * of processes.
 */
export const STOPPED = ["dead", "poisoned"] as const;
/** One of `STOPPED`. */
export type StoppedState = (typeof STOPPED)[number];

/** Message for a worker: its name, payload and maximum number of attempts. */
export interface Task<P> {
  readonly name: string;
  readonly queue: QueueName;
  readonly payload: z.ZodType<P>;
  /** Attempts before the task is dead; a lost lease counts as one. */
  readonly attempts: number;
  /**
   * True if a later task of its kind does the same work: it is then logged and removed after its last attempt,
   * not stored as dead.
   */
  readonly recurs?: true;
}

/** Time and order of a task. */
export interface EnqueueOptions {
  /** Not before this many milliseconds from now, by the database's clock. */
  readonly delayMs?: number;
  /** While a task with this key waits to be claimed, this one is not added. */
  readonly dedupeKey?: string;
  /**
   * Fair share: users take turns, and so do the activities of each user. A user who starts much at once delays
   * nobody else.
   */
  readonly turn?: {
    /** The person, or the part of the product. */
    readonly of: string;
    /** Activity of the user. */
    readonly in: string;
  };
}

/** One try at a task. */
export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  readonly isLast: boolean;
  /** Aborted when the worker stops or has lost its lease. */
  readonly signal: AbortSignal;
}

/** Thrown by a handler that requests another attempt at a certain time; `free` leaves the attempt uncounted. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
  readonly sentence: Sentence;
  readonly delayMs: number;
  readonly free: boolean;
  /** Objects of the task, such as its invoice, for the log. */
  readonly about: Readonly<Record<string, string>>;

  constructor(
    sentence: Sentence,
    options: { delayMs: number; free?: boolean; about?: Readonly<Record<string, string>> },
  ) {
    super(translate(sentence));
    this.sentence = sentence;
    this.delayMs = options.delayMs;
    this.free = options.free ?? false;
    this.about = options.about ?? {};
  }
}

/** Handler for the tasks of one name. */
export interface Consumer {
  readonly task: Task<unknown>;
  handle(payload: unknown, attempt: Attempt): Promise<void>;
  /** Called once when the last attempt failed, so that nothing waits for this task for ever. */
  dead?(payload: unknown, reason: Sentence): Promise<void>;
}

/** Work of this process, until `signal` aborts. */
export interface RunOptions {
  readonly signal: AbortSignal;
  readonly queues: readonly QueueName[];
  /** Tasks of one queue at once in this process. */
  readonly concurrency: Partial<Record<QueueName, number>>;
}

/** A task that stopped, as a person found it. */
export interface StoppedTask {
  readonly name: string;
  readonly state: string;
  readonly attempts: number;
  readonly deaths: number;
  readonly lastError: string | null;
}

/**
 * Queue whose `tasks` table is the record and whose broker is a hint. Committed work is done at least once, work
 * rolled back never. Losing the broker's memory only delays work.
 */
export interface TaskQueue {
  /** Adds work in the caller's transaction. */
  enqueue<P>(tx: Db, task: Task<P>, payload: P, options?: EnqueueOptions): Promise<void>;
  enqueueAll<P>(
    tx: Db,
    task: Task<P>,
    payloads: readonly P[],
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Counts the due tasks of a kind that no worker has taken yet. */
  waiting(tx: Db, task: Pick<Task<unknown>, "name">): Promise<number>;
  /** Returns true while such a task is still due; removes a dead or poisoned one, so that another can be added. */
  revive<P>(tx: Db, task: Task<P>, payload: P): Promise<boolean>;
  /** Makes a waiting task due now, before its next retry; false if no such task waits. */
  hasten<P>(tx: Db, task: Task<P>, payload: P): Promise<boolean>;
  /** Makes all waiting tasks of a kind due now, or only those without a counted attempt. */
  hastenAll(
    tx: Db,
    task: Pick<Task<unknown>, "name">,
    options?: { readonly isUntried: true },
  ): Promise<void>;
  /**
   * Makes a dead or poisoned task due like a new one. Resolves to its earlier state, or undefined if there is no
   * such task.
   */
  replay(tx: Db, id: number): Promise<StoppedTask | undefined>;
  /** Serves the consumers until the signal aborts, then waits for running tasks. */
  run(consumers: readonly Consumer[], options: RunOptions): Promise<void>;
  /** Rejects when the broker cannot be reached. */
  ping(): Promise<void>;
}

/** Returns the queues with these names, all without names; an unknown one is an error that lists them. */
export function parseQueues(names: readonly string[]): readonly QueueName[] {
  return names.length ? names.map(queueName) : QUEUES;
}

function queueName(name: string): QueueName {
  const found = QUEUES.find((it) => it === name);
  if (!found) throw new Error(`Unknown queue ${name}; there are ${QUEUES.join(", ")}`);
  return found;
}
