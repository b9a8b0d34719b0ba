import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { recordEvidence } from "#src/features/evidence/mod.ts";
import { lockInvoiceById, recordStatus } from "#src/features/invoices/mod.ts";
import { settlingRuns } from "#src/features/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { PaError } from "#src/ports/pa.ts";
import { askAgain, NOT_YET, retryAfter } from "../pa/next_attempt.ts";
import { factsOf } from "./evidence.ts";
import { type ItemOutcome, settlementOf, submitted } from "./run_item.ts";
import { type AttemptEnd, type Begun, endAttempt } from "./store.ts";

export type SettleNeeds = Pick<
  Deps,
  "clock" | "crash" | "db" | "live" | "notifier" | "log" | "settings"
>;

/** It was definitely not taken, and trying again would not help: sending failed (9904). */
export async function refuse(
  needs: SettleNeeds,
  begun: Begun,
  error: PaError,
  reason: Sentence = error.sentence,
): Promise<void> {
  await settle(needs, begun, {
    end: { state: "rejected", ...endOf(error), error: reason, answer: error.excerpt },
    failed: reason,
    item: { state: "send_failed", message: reason },
  });
}

/** The PA gave too many unclear answers about it: a person decides. */
export async function park(
  needs: SettleNeeds,
  begun: Begun,
  { error, probes }: { error: PaError; probes: number },
): Promise<void> {
  const reason = error.message;
  needs.log.error("submission.parked", { submission: begun.id, probes, reason });
  const end: AttemptEnd = { state: "parked", ...endOf(error), probes };
  await leaveOpen(needs, begun, { end, reason: error.sentence });
}

/** The PA may have it: it is asked later. */
export async function askLater(
  needs: SettleNeeds,
  begun: Begun,
  { error, probes }: { error: PaError; probes: number },
): Promise<never> {
  const end: AttemptEnd = { state: "ambiguous", ...endOf(error), probes };
  await leaveOpen(needs, begun, { end, reason: error.sentence });
  throw retryAfter(error, begun, needs.settings);
}

/** The PA does not have it, but so soon after a sending that may only mean that its search lags. */
export async function waitForSearch(
  needs: SettleNeeds,
  begun: Begun,
  waitMs: number,
): Promise<never> {
  const end: AttemptEnd = { state: "ambiguous", outcome: "unknown", error: NOT_YET };
  await leaveOpen(needs, begun, { end, reason: NOT_YET });
  throw askAgain(waitMs);
}

/** Nothing of it left the house: it waits for another attempt. */
export async function waitForRetry(
  needs: SettleNeeds,
  begun: Begun,
  error: PaError,
): Promise<never> {
  const end: AttemptEnd = { state: "intent", ...endOf(error) };
  await leaveOpen(needs, begun, { end, reason: error.sentence });
  throw retryAfter(error, begun, needs.settings);
}

/** The document was replaced since; what replaced it has a sending of its own, or may not be sent. */
export async function dropPayload(needs: SettleNeeds, begun: Begun): Promise<void> {
  const error = say`The document was replaced before it was sent`;
  await settle(needs, begun, {
    end: { state: begun.probe ? "parked" : "superseded", outcome: "not-sent", error },
  });
}

/** The PA holds an earlier sending of the same document: `apply` makes that one count, this was a second copy. */
export async function endAsDuplicate(
  needs: SettleNeeds,
  begun: Begun,
  { error, flowId, apply }: {
    error: PaError;
    flowId: string;
    apply: (tx: Db) => Promise<void>;
  },
): Promise<void> {
  await settle(needs, begun, {
    end: { state: "duplicate", ...endOf(error), answer: error.excerpt },
    also: apply,
    item: submitted(flowId),
  });
}

function endOf({ outcome, sentence: error, httpStatus }: PaError) {
  return { outcome, error, httpStatus };
}

function leaveOpen(
  needs: SettleNeeds,
  begun: Begun,
  { end, reason }: { end: AttemptEnd; reason: Sentence },
): Promise<void> {
  return settle(needs, begun, { end, item: { state: "retrying", message: reason } });
}

interface Outcome {
  readonly end: AttemptEnd;
  /** Why sending failed (9904). */
  readonly failed?: Sentence;
  readonly item?: ItemOutcome;
  /** What else commits with it. */
  readonly also?: (tx: Db) => Promise<void>;
}

/** Writes the end of an attempt with all it means, in one transaction; nothing where the attempt is no longer ours. */
async function settle(
  needs: SettleNeeds,
  begun: Begun,
  { end, failed, item, also }: Outcome,
): Promise<void> {
  await settlingRuns(needs, async (tx, settleItems) => {
    if (!await endAttempt(tx, begun, end)) {
      const { id: submission, n: attempt } = begun;
      return needs.log.info("submission.fenced", { submission, attempt, outcome: end.outcome });
    }
    if (failed !== undefined) await recordFailed(needs, tx, { submission: begun, reason: failed });
    await also?.(tx);
    await recordEvidence(tx, factsOf(begun, end));
    if (item) await settleItems(settlementOf(begun, item));
    needs.crash("submit.beforeSettle");
  });
  needs.crash("submit.afterSettle");
}

/** Sending failed (9904), for a reason of ours or of the PA's. */
export async function recordFailed(
  needs: Pick<SettleNeeds, "clock" | "live" | "notifier">,
  tx: Db,
  { submission: { invoiceId, generation }, reason: message }: {
    submission: Pick<Begun, "invoiceId" | "generation">;
    reason: Sentence;
  },
): Promise<void> {
  const invoice = await lockInvoiceById(tx, invoiceId);
  if (!invoice) return;
  const at = needs.clock.now();
  const code = STATUS.sendFailed;
  const event = { code, message, at, source: "pipeline", generation, restart: generation > 1 };
  await recordStatus(needs, tx, { invoice, event });
}
