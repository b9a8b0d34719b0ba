import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";

const WATCH = new URL("./leave_watch.ts", import.meta.url);
/** A collector that takes longer is not waited for. */
const PATIENCE_MS = 2_000;
/** Deno may have asked this thread for what it measures, and would wait for the answer. */
const ANSWER_MS = 10;

/**
 * Ends this process. Deno sends what is left of traces and metrics to `collector` before it exits, and that may last for ever:
 * where the collector takes calls and never answers, or where Deno waits for this very thread. A thread beside it kills the
 * process then, its work being done.
 */
export async function leaveFor(collector: string | undefined, code: number): Promise<never> {
  watch(collector);
  if (collector !== undefined) await pause(ANSWER_MS);
  process.exit(code);
}

/** The same where nothing else may run: what ends the process may have left something half changed. */
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
