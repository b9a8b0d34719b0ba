import type { Deps } from "#src/deps.ts";
import type { JobLogLevel } from "#src/domain/job/run.ts";
import { toMessage } from "#src/kernel/errors.ts";
import type { SentenceOrText } from "#src/kernel/i18n/kept.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { tellLine } from "../events.ts";
import { insertLines, type JobLogLine } from "../log_store.ts";

/** Gathered for so long, and so many of them kept at once: a step that talks without end fills neither memory nor disk. */
const GATHER_MS = 250;
const MAX_CONCURRENT = 500;
/** Limit of live lines; clients read the others from the log. */
const MAX_REPORTED = 100;

/** Log of one run during its execution. */
export interface RunLog {
  line(
    level: JobLogLevel,
    message: SentenceOrText,
    more?: { step?: string; data?: Readonly<Record<string, unknown>> | undefined },
  ): void;
  /** Writes the collected lines, in the transaction if one is passed. */
  flush(tx?: Db): Promise<void>;
  close(): void;
}

export function newRunLog(
  deps: Pick<Deps, "clock" | "db" | "live" | "log">,
  run: { readonly id: string; readonly job: string },
): RunLog {
  let waiting: JobLogLine[] = [];
  let leftOut = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = async (tx: Db = deps.db) => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    if (leftOut) {
      const message =
        say`${leftOut} lines are left out here: no more than ${MAX_CONCURRENT} are kept in ${GATHER_MS} ms`;
      lines.push({ at: deps.clock.now(), level: "warn", message });
    }
    waiting = [];
    leftOut = 0;
    if (!lines.length) return;
    const kept = await insertLines(tx, run.id, lines);
    await deps.live.publishAll(tx, kept.slice(0, MAX_REPORTED).map((it) => tellLine(run.job, it)));
  };
  return {
    line(level, message, { step, data } = {}) {
      if (waiting.length >= MAX_CONCURRENT) leftOut++;
      else waiting.push({ at: deps.clock.now(), level, step, message, data });
      timer ??= setTimeout(() => {
        flush().catch((error) =>
          deps.log.warn("job.log.failed", { run: run.id, error: toMessage(error) })
        );
      }, GATHER_MS);
    },
    flush,
    close: () => clearTimeout(timer),
  };
}
