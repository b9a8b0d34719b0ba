import type { RetryDefinition } from "#src/definitions/jobs.ts";
import { backoff } from "#src/kernel/delay.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { MAX_TIMER_MS, milliseconds } from "#src/kernel/units.ts";
import { Ended } from "./ends.ts";

/** Reasons that end all work of a run. */
export interface Ends {
  /** Aborted by a user. */
  readonly abort: AbortSignal;
  /** This worker stops, or lost the run. */
  readonly stop: AbortSignal;
  /** Milliseconds the run may still last. */
  msLeft(): number;
}

/** Time for a step that cannot run twice to end when its worker stops. */
const GRACE_MS = 15_000;

/** Does one thing under a signal that aborts with the reason, and rejects with it. */
export async function underEnds<T>(
  { abort, stop, msLeft }: Ends,
  { timeout, spentMs = 0, isIdempotent }: {
    timeout: string | undefined;
    /** Part of the timeout used before it rested. */
    spentMs?: number;
    isIdempotent: boolean;
  },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const doing = new AbortController();
  const timers: ReturnType<typeof setTimeout>[] = [];
  const end = (why: Ended) => doing.abort(why);
  const aborted = () => end(new Ended("aborted", say`The run was aborted`));
  const stopping = () => {
    const why = new Ended("stopping", say`Its worker stopped before it was done`);
    if (isIdempotent) return end(why);
    timers.push(setTimeout(() => end(why), GRACE_MS));
  };
  const own = timeout === undefined ? Infinity : milliseconds(timeout) - spentMs;
  const left = msLeft();
  const ms = Math.min(own, left);
  const late = own <= left
    ? say`The step took longer than ${timeout ?? ""}`
    : say`The run took longer than it may`;
  if (ms <= 0) end(new Ended("timeout", late));
  else if (Number.isFinite(ms)) {
    timers.push(setTimeout(() => end(new Ended("timeout", late)), Math.min(ms, MAX_TIMER_MS)));
  }
  if (abort.aborted) aborted();
  if (stop.aborted) stopping();
  abort.addEventListener("abort", aborted, { once: true });
  stop.addEventListener("abort", stopping, { once: true });
  try {
    doing.signal.throwIfAborted();
    return await Promise.race([work(doing.signal), rejection(doing.signal)]);
  } catch (error) {
    throw doing.signal.aborted ? doing.signal.reason : error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    abort.removeEventListener("abort", aborted);
    stop.removeEventListener("abort", stopping);
  }
}

const SLOW_END_MS = 500;

/** Rejects soon after the signal, even if the work ignores it. */
function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => setTimeout(() => reject(signal.reason), SLOW_END_MS), {
      once: true,
    });
  });
}

/** The pause before the next attempt, milliseconds; undefined after the last one. */
export function pauseAfter(
  attempt: number,
  retry: RetryDefinition | undefined,
): number | undefined {
  const { max_attempts: most = 1, delay = "1s", factor = 2, max_delay = "10m", jitter = true } =
    retry ?? {};
  if (attempt >= most) return undefined;
  const [baseMs, capMs] = [milliseconds(delay), milliseconds(max_delay)];
  return backoff(attempt, { baseMs, capMs, factor, jitter });
}
