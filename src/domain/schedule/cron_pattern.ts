import { Cron } from "croner";
import { say, Sentence } from "#src/kernel/i18n/sentence.ts";

/** A cron expression that was checked. Its times are local times, written as if they were UTC. */
export interface CronPattern {
  /** True for every hour: the schedule then follows elapsed time and not the clock. */
  readonly everyHour: boolean;
  /** Returns the first local time after this one in milliseconds. Without one, it returns undefined. */
  next(local: number): number | undefined;
  /** Returns the last local time before this one in milliseconds. Without one, it returns undefined. */
  previous(local: number): number | undefined;
}

const FIELDS = [
  { name: say`the minute`, least: 0, most: 59 },
  { name: say`the hour`, least: 0, most: 23 },
  { name: say`the day of the month`, least: 1, most: 31 },
  { name: say`the month`, least: 1, most: 12 },
  { name: say`the day of the week`, least: 0, most: 7 },
] as const;

const MAX_LENGTH = 100;

/**
 * Parses exactly five fields, or a name such as `@daily`. Returns a sentence that names the field and its value if the
 * expression is invalid.
 */
export function parseCron(expression: string): CronPattern | Sentence {
  const shown = JSON.stringify(expression.slice(0, 60));
  const text = expression.trim();
  const fields = text.split(/\s+/);
  const isNamed = text.startsWith("@");
  if (expression.length > MAX_LENGTH || !isNamed && fields.length !== FIELDS.length) {
    return say`${shown} is no cron expression of five fields`;
  }
  if (!isNamed) {
    for (const [at, { name, least, most }] of FIELDS.entries()) {
      const wrong = fields[at]?.split(",").find((item) => !createCron(inField(at, item)));
      if (wrong !== undefined) {
        return say`${name} is ${least} to ${most}, not ${JSON.stringify(wrong)}`;
      }
    }
  }
  const cron = createCron(text);
  if (!cron) return say`${shown} is no cron expression of five fields`;
  return {
    everyHour: isNamed ? text === "@hourly" : isEveryHour(fields[1] ?? ""),
    next: (local) => cron.nextRun(new Date(local))?.getTime(),
    previous: (local) => cron.previousRuns(1, new Date(local))[0]?.getTime(),
  };
}

function createCron(text: string): Cron | undefined {
  try {
    return new Cron(text, { mode: "5-part", sloppyRanges: true, domAndDow: false, utcOffset: 0 });
  } catch {
    return undefined; // the expression is invalid
  }
}

/** Returns an expression in which only one field is limited. */
function inField(at: number, item: string): string {
  return FIELDS.map((_, other) => other === at ? item : "*").join(" ");
}

function isEveryHour(hours: string): boolean {
  return createCron(`0 ${hours} * * *`)?.nextRuns(24, new Date(-1)).at(-1)?.getUTCDate() === 1;
}
