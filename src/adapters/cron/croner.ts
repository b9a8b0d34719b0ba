import { Cron as Croner } from "croner";
import { messageOf } from "#src/kernel/errors.ts";
import type { Cron, CronTime } from "#src/ports/cron.ts";

const MAX_LENGTH = 100;
const MINUTE_MS = 60_000;

export const cronerCron: Cron = {
  problem(time) {
    const { expression } = time;
    if (expression.length > MAX_LENGTH || !/^[\d\s*,/A-Za-z#L?-]+$/.test(expression)) {
      return `${JSON.stringify(expression.slice(0, 60))} is no cron expression of five fields`;
    }
    try {
      return opened(time).nextRun() ? undefined : `${expression} is never due`;
    } catch (error) {
      return `${expression}, ${time.timezone}: ${messageOf(error)}`;
    }
  },
  dueAt(time, at) {
    const next = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS + MINUTE_MS);
    return opened(time).previousRuns(1, next)[0];
  },
};

function opened({ expression, timezone }: CronTime): Croner {
  return new Croner(expression, { timezone, paused: true, mode: "5-part" });
}
