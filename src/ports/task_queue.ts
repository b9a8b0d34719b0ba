import { type Sentence, translate } from "#src/kernel/sentences/sentence.ts";
import type { z } from "zod";
import type { Db } from "./db.ts";

/** Workers may serve some queues only, so each kind of work can be scaled by itself. */
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

/** States of a task that is kept and not tried again: `dead` its attempts are used up, `poisoned` processes died of it. */
export const STOPPED = ["dead", "poisoned"] as const;
/** One of `STOPPED`. */
export type StoppedState = (typeof STOPPED)[number];

/** A message for a worker: a name, what it carries, and how often it may be tried. */
export interface Task<P> {
  readonly name: string;
  readonly queue: QueueName;
  readonly payload: z.ZodType<P>;
  /** Attempts before the task is dead; a lost lease counts as one. */
  readonly attempts: number;
  /** A later one of its kind does the same: with its attempts used up it is logged and gone, not kept as dead. */
  readonly recurs?: true;
}

/** When and in which order a task is done. */
export interface EnqueueOptions {
  /** Not before this many milliseconds from now, by the database's clock. */
  readonly delayMs?: number;
  /** While a task with this key waits to be claimed, this one is not added. */
  readonly dedupeKey?: string;
  /** Whoever begins much at once makes nobody else wait: people take turns, and what each of them began does. */
  readonly turn?: {
    /** The person, or the part of the product. */
    readonly of: string;
    /** What they began. */
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

/** Thrown by a handler that wants another attempt at a time of its choosing; `free` leaves the attempt uncounted. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
  readonly sentence: Sentence;
  readonly delayMs: number;
  readonly free: boolean;

  constructor(sentence: Sentence, options: { delayMs: number; free?: boolean }) {
    super(translate(sentence));
    this.sentence = sentence;
    this.delayMs = options.delayMs;
    this.free = options.free ?? false;
  }
}

/** What is done about the tasks of one name. */
export interface Consumer {
  readonly task: Task<unknown>;
  handle(payload: unknown, attempt: Attempt): Promise<void>;
  /** Called once when the last attempt failed, so that nothing waits for this task for ever. */
  dead?(payload: unknown, reason: Sentence): Promise<void>;
}

/** What this process works on, until `signal` aborts. */
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
 * The `tasks` table is the record, the broker a hint: what commits is done at least once, what is rolled back never,
 * and losing the broker's memory only delays work.
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
  /** How many tasks of a kind are due and not yet in hand. */
  waiting(tx: Db, task: Pick<Task<unknown>, "name">): Promise<number>;
  /** Whether any task of any queue is due or in hand, in whatever process. */
  isAtWork(tx: Db): Promise<boolean>;
  /** True while such a task will still be done; a dead or poisoned one is taken away, so that another may be added. */
  revive<P>(tx: Db, task: Task<P>, payload: P): Promise<boolean>;
  /** Makes a dead or poisoned task due as if it were new; resolves to what it was, undefined where there is none. */
  replay(tx: Db, id: number): Promise<StoppedTask | undefined>;
  /** Serves the consumers until the signal aborts, then waits for the tasks in hand. */
  run(consumers: readonly Consumer[], options: RunOptions): Promise<void>;
  /** Rejects when the broker cannot be reached. */
  ping(): Promise<void>;
}

/** The queues of these names, all where none is named; an unknown one is an error that lists them. */
export function parseQueues(names: readonly string[]): readonly QueueName[] {
  return names.length ? names.map(queueName) : QUEUES;
}

function queueName(name: string): QueueName {
  const found = QUEUES.find((it) => it === name);
  if (!found) throw new Error(`Unknown queue ${name}; there are ${QUEUES.join(", ")}`);
  return found;
}
