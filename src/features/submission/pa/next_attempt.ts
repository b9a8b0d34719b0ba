import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Settings } from "#src/deps.ts";
import { backoff } from "#src/kernel/delay.ts";
import type { PaError } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";

/** How often the PA may give no clear answer about something before a person must decide. */
const MAX_PROBES = 8;

/** What has been attempted so far. */
interface AttemptsSoFar {
  /** Number of this attempt. */
  readonly n: number;
  /** Unclear answers before it. */
  readonly probes: number;
  /** This attempt asked first, for an earlier one may have reached the PA. */
  readonly probe: boolean;
}

/**
 * `refuse` it was not taken, and trying again would not help · `park` a person decides · `ask` the PA may have it, and is
 * asked later · `again` nothing left the house.
 */
export type Next = "refuse" | "park" | "ask" | "again";

/** `reason` why it stands where it stands then. */
export function nextAfter(
  { outcome, sentence: reason }: PaError,
  { n, probe, probes: before }: AttemptsSoFar,
  { isLast }: { isLast: boolean },
): { readonly next: Next; readonly probes: number; readonly reason: Sentence } {
  const probes = before + (outcome === "ambiguous" ? 1 : 0);
  if (outcome === "refused") return { next: "refuse", probes, reason };
  if (outcome === "ambiguous" || probe) {
    return { next: probes > MAX_PROBES ? "park" : "ask", probes, reason };
  }
  if (!isLast || outcome === "throttled") return { next: "again", probes, reason };
  return { next: "refuse", probes, reason: say`${reason}; attempt ${n} was the last one` };
}

/** When the next attempt is due: after the pause the PA asked for, else later each time. */
export function retryAfter(
  error: PaError,
  { n }: Pick<AttemptsSoFar, "n">,
  { retryBaseMs, retryCapMs }: Pick<Settings, "retryBaseMs" | "retryCapMs">,
): RetryLater {
  const delayMs = error.retryAfter !== undefined
    ? error.retryAfter * 1000
    : backoff(n, { baseMs: retryBaseMs, capMs: retryCapMs });
  return new RetryLater(error.sentence, { delayMs, free: error.outcome === "throttled" });
}

/** The PA answered that it does not know it, so soon that it is to be asked again. */
export function askAgain(waitMs: number): RetryLater {
  return new RetryLater(NOT_YET, { delayMs: Math.ceil(waitMs), free: true });
}

export const NOT_YET = say`The PA does not know it yet`;
