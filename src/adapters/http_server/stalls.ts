import process from "node:process";
import type { Log } from "#src/ports/log.ts";

const TICK_MS = 20;
const NOTED_MS = 50;
const INFO_MS = 250;
const WARN_MS = 1_000;

/**
 * Logs when the event loop was blocked (`http.stalled`): `ms` is the whole delay, `cpuMs` our own work in it. The
 * rest is due to a busy machine. Ends when the signal aborts.
 */
export function watchStalls(log: Log, signal: AbortSignal): void {
  let last = { at: performance.now(), cpu: cpuMs() };
  const timer = setInterval(() => {
    const now = { at: performance.now(), cpu: cpuMs() };
    const ms = Math.round(now.at - last.at - TICK_MS);
    const own = Math.min(ms, Math.round(now.cpu - last.cpu));
    last = now;
    if (own < NOTED_MS) return;
    const level = own >= WARN_MS ? "warn" : own >= INFO_MS ? "info" : "debug";
    log[level]("http.stalled", { ms, cpuMs: own });
  }, TICK_MS);
  timer.unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/**
 * Returns the processor time of this thread if the runtime reports it; children and helper threads block nobody.
 */
function cpuMs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return (user + system) / 1000;
}
