import process from "node:process";
import type { Variables } from "#src/config/environment.ts";
import { delay } from "#src/kernel/delay.ts";

const LOOK_MS = 2_000;
/** Looks in a row that must find the process at rest. */
const LOOKS = 5;
/** Of one core, by all threads: what waits for work needs 1 to 5 %. */
const QUIET_SHARE = 0.1;
/** What polling alone leaves behind in some minutes, and what only work does; each is given back no more often than that. */
const SOME = { grown: 1.1, apartMs: 10 * 60_000 };
const MUCH = { grown: 1.25, apartMs: 60_000 };

/**
 * Gives back to the system what work has left behind, once the process is at rest: V8 keeps garbage until much is allocated,
 * and the C library keeps what was freed. Deno collects in every thread and has the library let go when it hears SIGUSR2,
 * where it was started with DENO_USR2_MEMORY_TRIM (Linux); elsewhere this does nothing. The process stands still for some
 * 0.15 s, so it must hold more than after the last time, and have used little processor time and had nothing to do
 * (`isAtWork`, which is asked in that case alone) at each of five looks. Ends when the signal aborts.
 */
export function giveBackAtRest(
  env: Variables,
  { isAtWork, signal, lookMs = LOOK_MS, apartMs }: {
    readonly isAtWork: () => boolean | Promise<boolean>;
    readonly signal: AbortSignal;
    readonly lookMs?: number;
    readonly apartMs?: number;
  },
): void {
  const hears = "Deno" in globalThis && process.platform === "linux" &&
    env["DENO_USR2_MEMORY_TRIM"] !== undefined;
  if (!hears) return;
  process.on("SIGUSR2", () => {}); // Deno's own handler is beside it; without any the process would end
  void watch();

  async function watch(): Promise<void> {
    let last = { at: performance.now(), cpu: cpuMs() };
    let quiet = 0;
    let given = -Infinity;
    let least = 0; // resident since then
    while (await looks()) {
      const now = { at: performance.now(), cpu: cpuMs() };
      const isQuiet = now.cpu - last.cpu < QUIET_SHARE * (now.at - last.at);
      last = now;
      const rss = process.memoryUsage.rss();
      least = Math.min(least, rss);
      const isWorth = [SOME, MUCH].some((it) =>
        rss >= least * it.grown && now.at - given >= (apartMs ?? it.apartMs)
      );
      quiet = isQuiet && isWorth && !await isBusy() ? quiet + 1 : 0;
      if (quiet < LOOKS || signal.aborted) continue;
      [quiet, given, least] = [0, now.at, Infinity];
      process.kill(process.pid, "SIGUSR2");
    }
  }

  async function looks(): Promise<boolean> {
    await delay(lookMs, signal);
    return !signal.aborted;
  }

  /** Who cannot tell has something to do. */
  async function isBusy(): Promise<boolean> {
    try {
      return await isAtWork();
    } catch {
      return true;
    }
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
