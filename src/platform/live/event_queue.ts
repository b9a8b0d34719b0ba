/** Limit of the queue. All clients share the event objects, so a waiting event costs one reference. */
const LIMIT = 5_000;

/** Queue between the event bus and one client, bounded so that a slow client costs limited memory. */
interface EventQueue<T> {
  push(event: T): void;
  close(): void;
  /** Resolves once there is something to take, or after `ms`. */
  wait(ms: number): Promise<void>;
  /** All events that wait; `overflow` once too many stood in line, `closed` at the end. */
  take(): readonly T[] | "overflow" | "closed";
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
    async wait(ms) {
      if (!waiting.length && !closed && !overflowed) await wakeOr(ms);
    },
    take() {
      if (closed) return "closed";
      if (overflowed) return "overflow";
      return waiting.splice(0);
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
