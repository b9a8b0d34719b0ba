import { type CronTime, type Fire, firesAfter, problemOfCron } from "#src/domain/schedule/cron.ts";
import { zonedText } from "#src/domain/schedule/zone.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

const SHOWN = 5;
/** Before it zones knew no rules of today, and some years after it a date has five digits. */
const YEARS = { first: 1970, last: 9900 };

/**
 * Returns the next times of a cron expression, computed by the scheduler's engine. Throws AppError `refused` for an
 * expression that is invalid or never due. Throws `invalid` for a time outside calendars and time zones.
 */
export function previewCron(
  time: CronTime,
  from: Date,
): { at: string; utc: string; note?: Sentence }[] {
  const problem = problemOfCron(time);
  if (problem) throw new AppError("refused", problem);
  const year = from.getUTCFullYear();
  if (year < YEARS.first || year > YEARS.last) {
    throw new AppError(
      "invalid",
      say`from: a year from ${YEARS.first} to ${YEARS.last} is expected`,
    );
  }
  return firesAfter(time, from, SHOWN).map((it) => {
    const note = findNote(it, time.timezone);
    return {
      at: zonedText(it.at, time.timezone),
      utc: it.at.toISOString(),
      ...note && { note },
    };
  });
}

function findNote({ at, local, odd }: Fire, zone: string): Sentence | undefined {
  if (!odd) return undefined;
  const [day = "", time = ""] = local.split("T");
  return odd === "missing"
    ? say`${time} does not exist on ${day}, when clocks are put forward: due at ${
      zonedText(at, zone).slice(11, 16)
    }`
    : say`${time} comes twice on ${day}, when clocks are put back: due the first time only`;
}
