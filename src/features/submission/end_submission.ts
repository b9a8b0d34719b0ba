import { STATUS } from "#src/domain/invoice/status.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { lockInvoiceById, recordStatus } from "#src/features/invoices/mod.ts";
import { endRunIfDone } from "#src/features/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { type SettleNeeds, tellRun } from "./settle_attempt.ts";
import { lockSubmission, updateSubmission } from "./submission_store.ts";

/** The task gave up: what the PA may have is left to a person, what never left the house has failed to be sent (9904). */
export async function submissionDied(
  needs: SettleNeeds,
  id: string,
  reason: string,
): Promise<void> {
  const runId = await needs.db.transaction(async (tx) => {
    const submission = await lockSubmission(tx, id);
    if (!submission || !isOpenSubmission(submission.state)) return null;
    const parked = submission.state !== "intent";
    await updateSubmission(tx, id, { state: parked ? "parked" : "rejected", lastError: reason });
    await tellRun(tx, submission, { state: parked ? "retrying" : "send_failed", message: reason });
    const invoice = parked ? undefined : await lockInvoiceById(tx, submission.invoiceId);
    if (invoice) {
      const { generation } = submission;
      const event = {
        code: STATUS.sendFailed,
        message: reason,
        at: needs.clock.now(),
        source: "pipeline",
        generation,
      };
      await recordStatus(needs, tx, { invoice, event: { ...event, restart: generation > 1 } });
    }
    return submission.runId;
  });
  if (runId !== null) await endRunIfDone(needs, runId);
}

/**
 * A flow of the PA carries our tracking id: whoever sees it first, the sending or the polling, settles a sending whose
 * answer was lost. In the caller's transaction; true when it was unsettled, also when it waited for a person.
 */
export async function adoptSeen(
  needs: Pick<SettleNeeds, "clock" | "live">,
  tx: Db,
  { submissionId, flowId }: { submissionId: string; flowId: string },
): Promise<boolean> {
  const submission = await lockSubmission(tx, submissionId);
  const unsettled = ["sending", "ambiguous", "probing", "parked"];
  if (!submission || !unsettled.includes(submission.state)) return false;
  const { generation } = submission;
  await updateSubmission(tx, submissionId, { state: "accepted", flowId, lastError: null });
  await tellRun(tx, submission, { state: "submitted", message: flowId });
  const invoice = await lockInvoiceById(tx, submission.invoiceId);
  if (!invoice || invoice.generation !== generation) return true;
  const event = {
    code: STATUS.pending,
    message: `PA ${flowId}`,
    at: needs.clock.now(),
    source: "pipeline",
    generation,
  };
  await recordStatus(needs, tx, {
    invoice,
    event: { ...event, restart: generation > 1 },
    paUuid: flowId,
  });
  return true;
}
