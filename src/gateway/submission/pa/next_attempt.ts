import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Settings } from "#src/deps.ts";
import { backoff } from "#src/kernel/delay.ts";
import type { PaError } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";

/** Number of unclear answers of the PA after which a person must decide. */
const MAX_PROBES = 8;

/** Attempts made so far. */
interface AttemptsSoFar {
  /** Number of this attempt. */
  readonly n: number;
  /** Unclear answers before it. */
  readonly probes: number;
  /** True when this attempt begins with a look-up, because an earlier one may have reached the PA. */
  readonly probe: boolean;
}

/**
 * Next step after a failure. `refuse`: the PA refused it, and a retry would not help. `park`: a person decides. `ask`:
 * the PA may have it; look up later. `again`: it was not sent; retry.
 */
export type Next = "refuse" | "park" | "ask" | "again";

/** Chooses the next step; `reason` explains the resulting state. */
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

/** Returns the time of the next attempt: after the pause requested by the PA, else with growing delays. */
export function retryAfter(
  error: PaError,
  { n, invoice }: Pick<AttemptsSoFar, "n"> & { readonly invoice: string },
  { retryBaseMs, retryCapMs }: Pick<Settings, "retryBaseMs" | "retryCapMs">,
): RetryLater {
  const delayMs = error.retryAfter !== undefined
    ? error.retryAfter * 1000
    : backoff(n, { baseMs: retryBaseMs, capMs: retryCapMs });
  return new RetryLater(error.sentence, {
    delayMs,
    free: error.outcome === "throttled",
    about: { invoice },
  });
}

/** The PA reports that it lacks it, so soon that another look-up is needed. */
export function askAgain(waitMs: number, { invoice }: { readonly invoice: string }): RetryLater {
  return new RetryLater(NOT_YET, {
    delayMs: Math.ceil(waitMs),
    free: true,
    about: { invoice },
  });
}

export const NOT_YET = say`The PA does not know it yet`;
