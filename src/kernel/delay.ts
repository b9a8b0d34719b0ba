import { MAX_TIMER_MS } from "./units.ts";

/** Resolves after `ms`, however many, or at once when the signal aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    let left = ms;
    let timer: ReturnType<typeof setTimeout>;
    signal?.addEventListener("abort", done, { once: true });
    wait();
    function wait() {
      const part = Math.min(left, MAX_TIMER_MS);
      left -= part;
      timer = setTimeout(left > 0 ? wait : done, part);
    }
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}

/**
 * Returns the pause after an attempt, milliseconds: it grows by `factor` from `baseMs` to `capMs`. With equal
 * jitter, half of it is for sure and the other half at random (AWS architecture blog, "Exponential Backoff And
 * Jitter").
 */
export function backoff(
  attempt: number,
  { baseMs, capMs, factor = 2, jitter = true }: {
    baseMs: number;
    capMs: number;
    factor?: number;
    jitter?: boolean;
  },
): number {
  const ceiling = Math.min(capMs, baseMs * factor ** (attempt - 1));
  return Math.round(jitter ? ceiling / 2 + Math.random() * ceiling / 2 : ceiling);
}
