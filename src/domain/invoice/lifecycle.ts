import { BESIDE_RANK, DISCUSSION_RANK } from "./status_catalogue.ts";
import { isDeposited, isFinal, statusOf, storedCode } from "./status.ts";

/** What the store knows of an invoice when an event arrives. */
export interface StoredStatus {
  readonly status: string;
  /** When the stored status became true, ISO 8601; without a zone it counts as UTC. */
  readonly at?: string | undefined;
  /** Number of the sending the stored status belongs to, from 1. */
  readonly submission?: number | undefined;
  /** Keys of the events recorded already. */
  readonly recorded?: ReadonlySet<string> | undefined;
}

export interface StatusEvent {
  /** National or stored code; an unknown one is kept. */
  readonly code: string;
  /** When the status was set, by the message; give the time of receipt when it says nothing. */
  readonly at?: string | undefined;
  /** Identity of the event, see `eventKey`. */
  readonly key?: string | undefined;
  readonly submission?: number | undefined;
  /** A new sending begins: an internal status may replace even a final one. */
  readonly restart?: boolean | undefined;
}

/** Why an event did not move the status. */
type Unmoved =
  | "repeated" // this very event is recorded already
  | "same" // the status is the stored one
  | "late" // something later in the lifecycle, or newer, is stored
  | "final" // the stored status is final
  | "beside" // it speaks of other data than the invoice
  | "earlier-submission"; // it belongs to a sending that a newer one replaced

export interface Effect {
  /** What to store: the event's status, or the present one. */
  readonly status: string;
  /** When that status became true; store it beside the status. */
  readonly at: string | undefined;
  readonly changed: boolean;
  /** Write the event into the history. False only for one that is there already. */
  readonly record: boolean;
  readonly why?: Unmoved;
}

/**
 * What a lifecycle event does to the stored status. Rules, in this order: a recorded event does nothing; a new sending
 * starts over; answers about other data and events of an older sending are recorded only; a final status (212, 210, 213,
 * 220, 501) is never left; a final event always wins; internal statuses yield to a PA's; otherwise the higher rank
 * wins, within a rank the newer time, at the same instant the higher code. So the order of arrival does not matter.
 */
export function applyEvent(current: StoredStatus, event: StatusEvent): Effect {
  const target = storedCode(event.code);
  const why = obstacle(current, event, target);
  if (why === undefined) return { status: target, at: event.at, changed: true, record: true };
  const at = why === "same" ? newest(current.at, event.at) : current.at;
  return { status: current.status, at, changed: false, record: why !== "repeated", why };
}

/** Identity of an event for a PA that may tell it twice: same status, instant, issuer and content. */
export function eventKey(
  event: {
    readonly code: string;
    readonly at: string | undefined;
    readonly issuer?: string | undefined;
    readonly content?: readonly string[] | undefined;
  },
): string {
  const parts = [
    storedCode(event.code),
    event.at ?? "",
    event.issuer ?? "",
    ...event.content ?? [],
  ];
  return parts.map((part) => part.replaceAll("|", "||")).join(" | ");
}

function obstacle(current: StoredStatus, event: StatusEvent, target: string): Unmoved | undefined {
  if (event.key !== undefined && current.recorded?.has(event.key)) return "repeated";
  if ((event.submission ?? Infinity) < (current.submission ?? 0)) return "earlier-submission";
  if (event.restart && !isDeposited(target)) return undefined;
  if (rankOf(target) === BESIDE_RANK) return "beside";
  if (target === current.status) return "same";
  if (isFinal(current.status)) return "final";
  if (isFinal(target)) return undefined;
  if (!isDeposited(target)) return isDeposited(current.status) ? "late" : undefined;
  if (!isDeposited(current.status)) return undefined;
  return follows(current, event, target) ? undefined : "late";
}

function follows(current: StoredStatus, event: StatusEvent, target: string): boolean {
  const step = rankOf(target) - rankOf(current.status);
  if (step !== 0) return step > 0;
  const before = instant(current.at);
  const after = instant(event.at);
  if (before !== undefined && after !== undefined && before !== after) return after > before;
  return target > current.status;
}

/** Unknown codes take part in the discussion: the newest word counts. */
function rankOf(code: string): number {
  return statusOf(code)?.rank ?? DISCUSSION_RANK;
}

function newest(a: string | undefined, b: string | undefined): string | undefined {
  const first = instant(a);
  const second = instant(b);
  if (second === undefined) return a;
  return first === undefined || second > first ? b : a;
}

function instant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) || !text.includes("T") ? text : `${text}Z`;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? undefined : time;
}
