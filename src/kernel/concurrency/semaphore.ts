import { AppError } from "../errors.ts";
import type { Sentence } from "../i18n/sentence.ts";

/** Options of a call that enters a semaphore. */
export interface SemaphoreEntry {
  /** Calls of the same key share its slots; without keys, all calls do. */
  readonly key?: string;
  /** Limit of running calls of the key that overrides the usual one. */
  readonly limit?: number;
  /** Longest wait for a slot, in milliseconds; unlimited by default. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Limit of calls that run at once in this process. Further calls wait in their order. */
export interface Semaphore {
  /** Runs the work in a slot. Throws AppError `throttled` when no call may wait, or after `waitMs`. */
  run<T>(work: () => Promise<T>, entry?: SemaphoreEntry): Promise<T>;
  /** Takes a slot for work that ends later, and resolves to the function that releases it. Throws as `run` does. */
  acquire(entry?: SemaphoreEntry): Promise<() => void>;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Creates a semaphore in which at most `waiting` calls of a key wait, by default any number. */
export function newSemaphore(
  { limit, waiting = Infinity, full, retryAfter = 5 }: {
    readonly limit: number;
    readonly waiting?: number;
    /** Words of the refusal of a key. */
    readonly full: (key: string) => Sentence;
    /** Seconds after which a refused caller may try again. */
    readonly retryAfter?: number;
  },
): Semaphore {
  const lines = new Map<string, Line>();
  const release = (key: string, line: Line) => {
    const next = line.waiting.shift();
    if (next) return next();
    line.running--;
    if (!line.running) lines.delete(key);
  };
  const acquire = async (entry: SemaphoreEntry = {}) => {
    const { key = "" } = entry;
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    const refusal = () => new AppError("throttled", full(key), { retryAfter });
    if (line.running < (entry.limit ?? limit)) line.running++;
    else if (line.waiting.length >= waiting) throw refusal();
    else await waitForSlot(line, entry, refusal);
    let isHeld = true;
    return () => {
      if (isHeld) release(key, line);
      isHeld = false;
    };
  };
  return {
    acquire,
    async run(work, entry) {
      const leave = await acquire(entry);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

function waitForSlot(
  line: Line,
  { waitMs, signal }: SemaphoreEntry,
  refusal: () => AppError,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const enter = () => {
      stop();
      resolve();
    };
    const leave = (error: unknown) => {
      line.waiting.splice(line.waiting.indexOf(enter), 1);
      stop();
      reject(error);
    };
    const abort = () => leave(signal?.reason);
    const timer = waitMs === undefined ? undefined : setTimeout(() => leave(refusal()), waitMs);
    line.waiting.push(enter);
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
  });
}
