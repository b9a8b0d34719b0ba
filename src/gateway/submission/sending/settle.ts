import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { recordEvidence } from "#src/gateway/evidence/mod.ts";
import { lockInvoiceById, recordStatus } from "#src/gateway/invoices/mod.ts";
import { settlingRuns } from "#src/gateway/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { PaError } from "#src/ports/pa.ts";
import { askAgain, NOT_YET, retryAfter } from "../pa/next_attempt.ts";
import { buildEvidence } from "./evidence.ts";
import { describeSubmitted, type SubmissionOutcome, toSettlement } from "./run_item.ts";
import { type AttemptEnd, endAttempt, type SubmissionAttempt } from "./store.ts";

export type SettleDeps = Pick<
  Deps,
  "clock" | "crash" | "db" | "live" | "notifier" | "log" | "settings"
>;

/** Ends a submission that the PA certainly refused, and for which a retry would not help: failed (9904). */
export async function refuse(
  deps: SettleDeps,
  begun: SubmissionAttempt,
  error: PaError,
  reason: Sentence = error.sentence,
): Promise<void> {
  await settle(deps, begun, {
    end: { state: "rejected", ...describeEnd(error), error: reason, answer: error.excerpt },
    failed: reason,
    item: { state: "send_failed", message: reason },
  });
}

/** The PA gave too many unclear answers about it: a person decides. */
export async function park(
  deps: SettleDeps,
  begun: SubmissionAttempt,
  { error, probes }: { error: PaError; probes: number },
): Promise<void> {
  const reason = error.message;
  deps.log.error("submission.parked", {
    invoice: begun.invoice,
    submission: begun.id,
    probes,
    reason,
  });
  const end: AttemptEnd = { state: "parked", ...describeEnd(error), probes };
  await settle(deps, begun, { end, item: { state: "blocked", message: error.sentence } });
}

/** Schedules a look-up, because the PA may have it. */
export async function askLater(
  deps: SettleDeps,
  begun: SubmissionAttempt,
  { error, probes }: { error: PaError; probes: number },
): Promise<never> {
  const end: AttemptEnd = { state: "ambiguous", ...describeEnd(error), probes };
  await leaveOpen(deps, begun, { end, reason: error.sentence });
  throw retryAfter(error, begun, deps.settings);
}

/** Schedules another look-up: the PA lacks it, perhaps only because its search lags shortly after sending. */
export async function waitForSearch(
  deps: SettleDeps,
  begun: SubmissionAttempt,
  waitMs: number,
): Promise<never> {
  const end: AttemptEnd = { state: "ambiguous", outcome: "unknown", error: NOT_YET };
  await leaveOpen(deps, begun, { end, reason: NOT_YET });
  throw askAgain(waitMs, begun);
}

/** Schedules another attempt for a submission that was certainly not sent. */
export async function waitForRetry(
  deps: SettleDeps,
  begun: SubmissionAttempt,
  error: PaError,
): Promise<never> {
  const end: AttemptEnd = { state: "intent", ...describeEnd(error) };
  await leaveOpen(deps, begun, { end, reason: error.sentence });
  throw retryAfter(error, begun, deps.settings);
}

/** Drops a payload whose document was replaced. The new document has its own submission, or must not be sent. */
export async function discardPayload(deps: SettleDeps, begun: SubmissionAttempt): Promise<void> {
  const error = say`The document was replaced before it was sent`;
  await settle(deps, begun, {
    end: { state: begun.probe ? "parked" : "superseded", outcome: "not-sent", error },
  });
}

/** Ends a second copy: the PA has an earlier submission of the same document, which `apply` makes valid. */
export async function endAsDuplicate(
  deps: SettleDeps,
  begun: SubmissionAttempt,
  { error, flowId, apply }: {
    error: PaError;
    flowId: string;
    apply: (tx: Db) => Promise<void>;
  },
): Promise<void> {
  await settle(deps, begun, {
    end: { state: "duplicate", ...describeEnd(error), answer: error.excerpt },
    also: apply,
    item: describeSubmitted(flowId),
  });
}

function describeEnd({ outcome, sentence: error, httpStatus }: PaError) {
  return { outcome, error, httpStatus };
}

function leaveOpen(
  deps: SettleDeps,
  begun: SubmissionAttempt,
  { end, reason }: { end: AttemptEnd; reason: Sentence },
): Promise<void> {
  return settle(deps, begun, { end, item: { state: "retrying", message: reason } });
}

interface Outcome {
  readonly end: AttemptEnd;
  /** Reason why sending failed (9904). */
  readonly failed?: Sentence;
  readonly item?: SubmissionOutcome;
  /** Further writes to commit in the same transaction. */
  readonly also?: (tx: Db) => Promise<void>;
}

/**
 * Writes the end of an attempt with all consequences, in one transaction; writes nothing when the attempt is no longer
 * ours.
 */
async function settle(
  deps: SettleDeps,
  begun: SubmissionAttempt,
  { end, failed, item, also }: Outcome,
): Promise<void> {
  await settlingRuns(deps, async (tx, settleItems) => {
    if (!await endAttempt(tx, begun, end)) {
      const { id: submission, n: attempt } = begun;
      return deps.log.info("submission.fenced", { submission, attempt, outcome: end.outcome });
    }
    if (failed !== undefined) await recordFailed(deps, tx, { submission: begun, reason: failed });
    await also?.(tx);
    await recordEvidence(tx, buildEvidence(begun, end));
    if (item) await settleItems(toSettlement(begun, item));
    deps.crash("submit.beforeSettle");
  });
  deps.crash("submit.afterSettle");
}

/** Ends a submission as failed (9904), for our reason or the PA's. */
export async function recordFailed(
  deps: Pick<SettleDeps, "clock" | "live" | "notifier">,
  tx: Db,
  { submission: { invoiceId, generation }, reason: message }: {
    submission: Pick<SubmissionAttempt, "invoiceId" | "generation">;
    reason: Sentence;
  },
): Promise<void> {
  const invoice = await lockInvoiceById(tx, invoiceId);
  if (!invoice) return;
  const at = deps.clock.now();
  const code = STATUS.sendFailed;
  const event = { code, message, at, source: "pipeline", generation, restart: generation > 1 };
  await recordStatus(deps, tx, { invoice, event });
}
