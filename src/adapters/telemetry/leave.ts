import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";

const WATCH = new URL("./leave_watch.ts", import.meta.url);
/** A collector that takes longer is not waited for. */
const PATIENCE_MS = 2_000;
/**
 * Time for a pending request of Deno: it may have requested measurements from this thread and would wait for
 * them.
 */
const ANSWER_MS = 10;

/**
 * Ends this process. Deno first exports the remaining traces and metrics to `collector`. That may last for ever:
 * the collector may never answer, or Deno may wait for this very thread. A parallel thread then kills the
 * process, whose work is done.
 */
export async function leaveFor(collector: string | undefined, code: number): Promise<never> {
  watch(collector);
  if (collector !== undefined) await pause(ANSWER_MS);
  process.exit(code);
}

/** Ends this process at once, without running other code: data may be half changed. */
export function breakOffFor(collector: string | undefined, code: number): never {
  watch(collector);
  process.exit(code);
}

function watch(collector: string | undefined): void {
  if ("Deno" in globalThis && collector !== undefined && !isWatched()) kill();
}

function isWatched(): boolean {
  const begun = new Int32Array(new SharedArrayBuffer(4));
  try {
    new Worker(WATCH, { workerData: { begun, patienceMs: PATIENCE_MS } });
  } catch {
    return false;
  }
  return Atomics.wait(begun, 0, 0, PATIENCE_MS) !== "timed-out";
}

function kill(): void {
  try {
    process.kill(process.pid, "SIGKILL");
  } catch {
    // Without the right to, on a platform that ends its processes itself.
  }
}
