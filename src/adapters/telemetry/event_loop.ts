import { record } from "./record.ts";

const TICK_MS = 100;

/** Measures the delay of the event loop; Deno's own histogram is not supported yet. */
export function watchEventLoop(): { stop(): void } {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const lateMs = Math.max(0, now - last - TICK_MS);
    last = now;
    record("passerelle_event_loop_delay_seconds", lateMs / 1000);
  }, TICK_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
