import type { Deps } from "#src/deps.ts";
import type { RunStatus } from "#src/domain/job/run.ts";
import { newWaker } from "#src/kernel/waker.ts";
import { LOGGED, TRANSITIONED } from "./events.ts";
import { type LogRow, readLines } from "./log_store.ts";
import { findJobRun, type JobRun } from "./store.ts";

interface Follower {
  /** The last line it has; without one it begins with the latest. */
  readonly after: number | undefined;
  /** False once its rights or its session have gone. */
  mayGoOn(): Promise<boolean>;
  readonly signal: AbortSignal;
  line(it: LogRow): Promise<void>;
  idle(): Promise<void>;
  end(status: RunStatus): Promise<void>;
}

const AT_ONCE = 500;
const FIRST_LINES = 1_000;
/** Interval of checks in case an announcement is lost. */
const LOOK_MS = 2_000;
const IDLE_MS = 15_000;

/** Sends the lines of a run until it ends; announcements trigger reads of the table. */
export async function followLog(
  { db, live }: Pick<Deps, "db" | "live">,
  run: JobRun,
  { after, mayGoOn, signal, line, idle, end }: Follower,
): Promise<void> {
  const waker = newWaker();
  const stop = live.subscribe(({ type, data }) => {
    const concerns = (type === LOGGED || type === TRANSITIONED) &&
      (data as { run_id?: string }).run_id === run.id;
    if (concerns) waker.wake();
  });
  try {
    let last = after ?? Math.max(0, run.logLines - FIRST_LINES);
    for (let quiet = performance.now(); !signal.aborted;) {
      const now = await findJobRun(db, run.id);
      const lines = await readLines(db, run.id, { after: last, limit: AT_ONCE });
      if (!await mayGoOn()) return;
      for (const it of lines) {
        await line(it);
        last = it.seq;
      }
      if (lines.length) quiet = performance.now();
      if (lines.length === AT_ONCE) continue;
      if (now?.status !== "running") return await end(now?.status ?? run.status);
      if (performance.now() - quiet > IDLE_MS) {
        await idle();
        quiet = performance.now();
      }
      await waker.wait(LOOK_MS, signal);
    }
  } finally {
    stop();
  }
}
