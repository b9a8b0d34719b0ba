import { type Flaw, refused } from "./flaw.ts";

/** Two clocks may differ by this much. */
const SKEW_MS = 5 * 60_000;
/** A day, and local time, are ahead of UTC by this much at most. */
const AHEAD_MS = 14 * 3_600_000;
/** No lifecycle message is older. */
const FIRST_YEAR = 2000;

/** What the time of a status is held against. */
interface StatusTimes {
  readonly now: Date;
  /** BT-2, `yyyy-MM-dd`. */
  readonly issueDate: string | undefined;
  /** When the invoice came here: where it is dated ahead, its life begins before its date. */
  readonly recordedAt: Date;
}

/** What is wrong with `yyyy-MM-ddTHH:mm:ss` (UTC) as the time a status became true, if anything. */
export function statusTimeFlaw(
  at: string,
  { now, issueDate, recordedAt }: StatusTimes,
): Flaw | undefined {
  const moment = momentOf(at);
  if (!moment) {
    return refused(
      `La date ${at} n'existe pas au calendrier`,
      `Time ${at} does not exist in the calendar`,
    );
  }
  if (moment.getTime() > now.getTime() + SKEW_MS) {
    const present = now.toISOString().slice(0, 19);
    return refused(
      `Le statut ne peut pas dater du ${at} : il n'est que ${present} (UTC)`,
      `The status cannot date from ${at}: it is only ${present} (UTC)`,
    );
  }
  const issued = issueDate === undefined ? undefined : momentOf(`${issueDate}T00:00:00`);
  const first = Math.min(recordedAt.getTime(), (issued ?? recordedAt).getTime() - AHEAD_MS);
  if (moment.getTime() >= first) return undefined;
  const since = issueDate ?? recordedAt.toISOString().slice(0, 10);
  return refused(
    `Le statut ne peut pas dater du ${at}, avant la facture (${since})`,
    `The status cannot date from ${at}, before the invoice (${since})`,
  );
}

/**
 * When an event of the PA counts as having happened: as its message tells, or when it was received where that is
 * no moment of the calendar or lies ahead of any clock. Messages tell no zone, so local time is taken for what it says.
 */
export function eventTime(text: string, received: Date): Date {
  const moment = momentOf(text.includes("T") ? text : `${text}T00:00:00`);
  const isSound = moment !== undefined && moment.getUTCFullYear() >= FIRST_YEAR &&
    moment.getTime() <= received.getTime() + AHEAD_MS;
  return isSound ? moment : received;
}

/** `Date` rolls the thirtieth of February over to March: what it read must be what was written. */
function momentOf(text: string): Date | undefined {
  const moment = new Date(`${text}Z`);
  if (Number.isNaN(moment.getTime())) return undefined;
  return moment.toISOString().slice(0, 19) === text ? moment : undefined;
}
