import type { Deps } from "#src/deps.ts";
import type { LogLevel } from "#src/domain/job/run.ts";
import { messageOf } from "#src/kernel/errors.ts";
import type { SentenceOrText } from "#src/kernel/sentences/kept.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { tellLine } from "../events.ts";
import { insertLines, type LogLine } from "../log_store.ts";

/** Gathered for so long, and so many of them kept at once: a step that talks without end fills neither memory nor disk. */
const GATHER_MS = 250;
const MOST_AT_ONCE = 500;
/** Lines of those that are told live; the others are read from the log. */
const MOST_TOLD = 100;

/** The log of one run while it is worked on. */
export interface RunLog {
  line(
    level: LogLevel,
    message: SentenceOrText,
    more?: { step?: string; data?: Readonly<Record<string, unknown>> | undefined },
  ): void;
  /** Keeps what was gathered, in a transaction where one is given. */
  flush(tx?: Db): Promise<void>;
  close(): void;
}

export function newRunLog(
  needs: Pick<Deps, "clock" | "db" | "live" | "log">,
  run: { readonly id: string; readonly job: string },
): RunLog {
  let waiting: LogLine[] = [];
  let leftOut = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = async (tx: Db = needs.db) => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    if (leftOut) {
      const message =
        say`${leftOut} lines are left out here: no more than ${MOST_AT_ONCE} are kept in ${GATHER_MS} ms`;
      lines.push({ at: needs.clock.now(), level: "warn", message });
    }
    waiting = [];
    leftOut = 0;
    if (!lines.length) return;
    const kept = await insertLines(tx, run.id, lines);
    await needs.live.publishAll(tx, kept.slice(0, MOST_TOLD).map((it) => tellLine(run.job, it)));
  };
  return {
    line(level, message, { step, data } = {}) {
      if (waiting.length >= MOST_AT_ONCE) leftOut++;
      else waiting.push({ at: needs.clock.now(), level, step, message, data });
      timer ??= setTimeout(() => {
        flush().catch((error) =>
          needs.log.warn("job.log.failed", { run: run.id, error: messageOf(error) })
        );
      }, GATHER_MS);
    },
    flush,
    close: () => clearTimeout(timer),
  };
}
