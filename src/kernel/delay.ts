/** Resolves after `ms`, or at once when the signal aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
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
