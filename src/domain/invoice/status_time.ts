import { createFlaw, type Flaw } from "./flaw.ts";

/** Two clocks may differ by this much. */
const SKEW_MS = 5 * 60_000;
/** A day, and local time, are ahead of UTC by this much at most. */
const AHEAD_MS = 14 * 3_600_000;
/** No lifecycle message is older. */
const FIRST_YEAR = 2000;

/** Times that limit the time of a status. */
interface StatusTimes {
  readonly now: Date;
  /** BT-2, `yyyy-MM-dd`. */
  readonly issueDate: string | undefined;
  /** When the invoice came here: where it is dated ahead, its life begins before its date. */
  readonly recordedAt: Date;
}

/** Validates `yyyy-MM-ddTHH:mm:ss` (UTC) as the time a status became true; undefined if it is valid. */
export function statusTimeFlaw(
  at: string,
  { now, issueDate, recordedAt }: StatusTimes,
): Flaw | undefined {
  const moment = findMoment(at);
  if (!moment) {
    return createFlaw(
      `La date ${at} n'existe pas au calendrier`,
      `Time ${at} does not exist in the calendar`,
    );
  }
  if (moment.getTime() > now.getTime() + SKEW_MS) {
    const present = now.toISOString().slice(0, 19);
    return createFlaw(
      `Le statut ne peut pas dater du ${at} : il n'est que ${present} (UTC)`,
      `The status cannot date from ${at}: it is only ${present} (UTC)`,
    );
  }
  const issued = issueDate === undefined ? undefined : findMoment(`${issueDate}T00:00:00`);
  const first = Math.min(recordedAt.getTime(), (issued ?? recordedAt).getTime() - AHEAD_MS);
  if (moment.getTime() >= first) return undefined;
  const since = issueDate ?? recordedAt.toISOString().slice(0, 10);
  return createFlaw(
    `Le statut ne peut pas dater du ${at}, avant la facture (${since})`,
    `The status cannot date from ${at}, before the invoice (${since})`,
  );
}

/**
 * Returns the time of a PA event: the time in its message, or the time of receipt if that one is invalid or in
 * the future. Messages carry no time zone, so their local time is read as UTC.
 */
export function eventTime(text: string, received: Date): Date {
  const moment = findMoment(text.includes("T") ? text : `${text}T00:00:00`);
  const isSound = moment !== undefined && moment.getUTCFullYear() >= FIRST_YEAR &&
    moment.getTime() <= received.getTime() + AHEAD_MS;
  return isSound ? moment : received;
}

/** `Date` turns 30 February into a day of March, so the result must match the text. */
function findMoment(text: string): Date | undefined {
  const moment = new Date(`${text}Z`);
  if (Number.isNaN(moment.getTime())) return undefined;
  return moment.toISOString().slice(0, 19) === text ? moment : undefined;
}
