import { BESIDE_RANK, DISCUSSION_RANK } from "./status_catalogue.ts";
import { findStatus, isDeposited, isFinal, STATUS, storedCode } from "./status.ts";

/** Stored state of an invoice when an event arrives. */
export interface StoredStatus {
  readonly status: string;
  /** When the stored status became true, ISO 8601; without a zone it counts as UTC. */
  readonly at?: string | undefined;
  /** Number of the sending the stored status belongs to, from 1. */
  readonly submission?: number | undefined;
  /** Keys of the events recorded already. */
  readonly recorded?: ReadonlySet<string> | undefined;
}

export interface LifecycleEvent {
  /** National or stored code; an unknown one is stored unchanged. */
  readonly code: string;
  /** Time the status was set, from the message; pass the time of receipt if the message has none. */
  readonly at?: string | undefined;
  /** Identity of the event, see `eventKey`. */
  readonly key?: string | undefined;
  readonly submission?: number | undefined;
  /** A new sending begins: an internal status may replace even a final one. */
  readonly restart?: boolean | undefined;
  /**
   * Side of a duplicate: a 213 whose only reason is DOUBLON. A PA refuses one delivery of an invoice that we
   * `issued` or `received`, because it holds a copy already.
   */
  readonly duplicate?: "issued" | "received" | undefined;
}

/** Why an event did not move the status. */
type Unmoved =
  | "repeated" // this very event is recorded already
  | "same" // the status is the stored one
  | "late" // something later in the lifecycle, or newer, is stored
  | "final" // the stored status is final
  | "beside" // it concerns other data than the invoice
  | "earlier-submission"; // it belongs to a sending that a newer one replaced

export interface Effect {
  /** Status to store: that of the event, or the current one. */
  readonly status: string;
  /** Time when that status became true; store it with the status. */
  readonly at: string | undefined;
  readonly changed: boolean;
  /** True if the event must be added to the history; false only for an event that is already recorded. */
  readonly record: boolean;
  readonly why?: Unmoved;
}

/**
 * Applies a lifecycle event to the stored status.
 *
 * A refusal as duplicate never rejects an invoice. A held or deposited copy keeps its status; otherwise the
 * submission of our invoice has failed (9904) and a person compares.
 *
 * The rules apply in this order, so the order of arrival does not matter:
 * 1. A recorded event has no effect.
 * 2. A new submission starts again.
 * 3. Answers about other data and events of an older submission are only recorded.
 * 4. A final status (212, 210, 213, 220, 501) never changes.
 * 5. A final event always wins.
 * 6. A status of a PA replaces an internal one.
 * 7. The higher rank wins; within a rank the newer time; at the same instant the higher code.
 */
export function applyEvent(current: StoredStatus, event: LifecycleEvent): Effect {
  const target = event.duplicate ? STATUS.sendFailed : storedCode(event.code);
  const why = obstacle(current, event, target);
  if (why === undefined) return { status: target, at: event.at, changed: true, record: true };
  const at = why === "same" ? newest(current.at, event.at) : current.at;
  return { status: current.status, at, changed: false, record: why !== "repeated", why };
}

/** Returns the identity of an event, since a PA may send it twice: same status, instant, issuer and content. */
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

function obstacle(
  current: StoredStatus,
  event: LifecycleEvent,
  target: string,
): Unmoved | undefined {
  if (event.key !== undefined && current.recorded?.has(event.key)) return "repeated";
  if ((event.submission ?? Infinity) < (current.submission ?? 0)) return "earlier-submission";
  if (event.duplicate && (event.duplicate === "received" || isDeposited(current.status))) {
    return "beside";
  }
  if (event.restart && !isDeposited(target)) return undefined;
  if (getRank(target) === BESIDE_RANK) return "beside";
  if (target === current.status) return "same";
  if (isFinal(current.status)) return "final";
  if (isFinal(target)) return undefined;
  if (!isDeposited(target)) return isDeposited(current.status) ? "late" : undefined;
  if (!isDeposited(current.status)) return undefined;
  return follows(current, event, target) ? undefined : "late";
}

function follows(current: StoredStatus, event: LifecycleEvent, target: string): boolean {
  const step = getRank(target) - getRank(current.status);
  if (step !== 0) return step > 0;
  const before = instant(current.at);
  const after = instant(event.at);
  if (before !== undefined && after !== undefined && before !== after) return after > before;
  return target > current.status;
}

/** Returns the rank of a status; unknown codes count as statuses of the parties, of which the newest wins. */
function getRank(code: string): number {
  return findStatus(code)?.rank ?? DISCUSSION_RANK;
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
