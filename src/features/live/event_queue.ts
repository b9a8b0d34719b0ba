const LIMIT = 1_000;

/** Between the bus and one client: bounded, so that a client that reads slowly costs memory for itself only. */
interface EventQueue<T> {
  push(event: T): void;
  close(): void;
  /** The next event; `idle` after `ms` without one, `overflow` once too many stood in line, `closed` at the end. */
  next(ms: number): Promise<T | "idle" | "overflow" | "closed">;
}

export function eventQueue<T extends object>(): EventQueue<T> {
  const waiting: T[] = [];
  let closed = false;
  let overflowed = false;
  let resume: (() => void) | undefined;
  return {
    push(event) {
      if (waiting.length >= LIMIT) overflowed = true;
      else waiting.push(event);
      resume?.();
    },
    close() {
      closed = true;
      resume?.();
    },
    async next(ms) {
      if (!waiting.length && !closed && !overflowed) await wakeOr(ms);
      if (closed) return "closed";
      if (overflowed) return "overflow";
      return waiting.shift() ?? "idle";
    },
  };

  function wakeOr(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      resume = done;
      function done() {
        clearTimeout(timer);
        resume = undefined;
        resolve();
      }
    });
  }
}
