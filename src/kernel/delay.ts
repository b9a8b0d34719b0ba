import { LONGEST_TIMER_MS } from "./units.ts";

/** Resolves after `ms`, however many, or at once when the signal aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    let left = ms;
    let timer: ReturnType<typeof setTimeout>;
    signal?.addEventListener("abort", done, { once: true });
    wait();
    function wait() {
      const part = Math.min(left, LONGEST_TIMER_MS);
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
 * Exponential backoff with equal jitter, milliseconds: half of the growing pause for sure, the other half at random (AWS
 * architecture blog, "Exponential Backoff And Jitter").
 */
export function backoff(
  attempt: number,
  { baseMs, capMs }: { baseMs: number; capMs: number },
): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(ceiling / 2 + Math.random() * ceiling / 2);
}
