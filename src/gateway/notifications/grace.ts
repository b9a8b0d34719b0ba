/** The document's grace for dispatches in hand when the process shuts down. */
const GRACE_MS = 2_000;

/** Does the work with a signal that aborts `graceMs` after the given one. */
export async function withGrace<T>(
  signal: AbortSignal,
  work: (late: AbortSignal) => Promise<T>,
  graceMs = GRACE_MS,
): Promise<T> {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const start = () => timer ??= setTimeout(() => late.abort(signal.reason), graceMs);
  signal.addEventListener("abort", start, { once: true });
  if (signal.aborted) start();
  try {
    return await work(late.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", start);
  }
}
