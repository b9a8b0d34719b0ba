import type { Deps } from "#src/deps.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { lockInvoiceById } from "#src/gateway/invoices/mod.ts";
import { type SettleItems, settlingRuns } from "#src/gateway/runs/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { accept } from "./accept.ts";
import { type Before, describeBefore, type ResendDeps, sendAgain } from "./resend.ts";
import {
  findSubmission,
  flowsOfOthers,
  latestSubmission,
  lockSubmission,
  type SubmissionRow,
  updateSubmission,
} from "./store.ts";
import { openPa } from "../pa/settings.ts";
import { submitTask } from "../tasks.ts";
import { findMismatch } from "../pa/verify_flow.ts";

/**
 * Decision of a person about a blocked submission.
 * `probe`: asks the PA again and sends the invoice if the PA lacks it.
 * `send`: sends without asking, because the person knows that the PA lacks it.
 * `adopt`: names the PA's flow, which the PA must confirm.
 */
type ReplayAction = { readonly action: "probe" | "send" } | {
  readonly action: "adopt";
  readonly flowId: string;
};

export interface Replayed {
  /** Submission that continues: the given one, or for a failed one the next generation. */
  readonly id: string;
  /** State at the time of the person's decision. */
  readonly before: Before;
  /** False when it was active already, so that a repeated replay has no effect. */
  readonly replayed: boolean;
}

type GoesOn = Omit<Replayed, "before">;
type ReplayDeps = ResendDeps & Pick<Deps, "log" | "pa" | "settings" | "vault">;

/** Continues a blocked submission: a parked one, a failed one, or an open one whose task died. */
export async function replaySubmission(
  deps: ReplayDeps,
  id: string,
  { user, ...decision }: ReplayAction & { user: string },
): Promise<Replayed> {
  const found = await findSubmission(deps.db, id);
  if (!found) throw notFound("Submission", id);
  if (decision.action === "adopt" && found.state === "parked") {
    await confirmFlow(deps, found, decision.flowId);
  }
  return await settlingRuns(deps, async (tx, settle) => {
    const invoice = await lockInvoiceById(tx, found.invoiceId);
    const submission = await lockSubmission(tx, id);
    if (!invoice || !submission) throw notFound("Submission", id);
    deps.log.info("submission.replayed", {
      submission: id,
      state: submission.state,
      action: decision.action,
      user,
    });
    const before = describeBefore(invoice, submission);
    if (submission.state === "parked") {
      return { before, ...await unpark(deps, { tx, settle }, { submission, decision }) };
    }
    if (isOpenSubmission(submission.state)) return { before, ...await wake(deps, tx, id) };
    const latest = await latestSubmission(tx, invoice.id);
    if (submission.state === "rejected" && latest?.id === id) {
      return { before, id: await sendAgain(deps, tx, { invoice, user }), replayed: true };
    }
    if (submission.state === "superseded" && latest && latest.id !== id) {
      return { before, id: latest.id, replayed: false };
    }
    throw new AppError(
      "conflict",
      say`Submission ${id} is ${submission.state}: there is nothing to replay`,
    );
  });
}

/** Checks with the PA that a flow is this submission, because ids are easily mistyped. */
async function confirmFlow(
  deps: ReplayDeps,
  submission: SubmissionRow,
  flowId: string,
): Promise<void> {
  const { id, payloadSha256: sha256 } = submission;
  const others = await flowsOfOthers(deps.db, id, [flowId]);
  if (others.size) throw new AppError("conflict", say`Flow ${flowId} is that of another sending`);
  const mismatch = await findMismatch(await openPa(deps), flowId, { id, sha256 });
  if (mismatch !== undefined) throw new AppError("refused", mismatch);
}

async function unpark(
  deps: ReplayDeps,
  { tx, settle }: { tx: Db; settle: SettleItems },
  { submission: { id }, decision }: { submission: SubmissionRow; decision: ReplayAction },
): Promise<GoesOn> {
  if (decision.action === "adopt") {
    const accepted = await accept(deps, { tx, settle }, [{ id, flowId: decision.flowId, n: null }]);
    return { id, replayed: accepted.has(id) };
  }
  await updateSubmission(tx, id, {
    state: decision.action === "send" ? "intent" : "ambiguous",
    probes: 0,
  });
  await wake(deps, tx, id);
  return { id, replayed: true };
}

/** Makes sure that a task takes it further. */
async function wake(deps: ReplayDeps, tx: Db, id: string): Promise<GoesOn> {
  const alive = await deps.tasks.revive(tx, submitTask, { submissionId: id });
  if (!alive) await deps.tasks.enqueue(tx, submitTask, { submissionId: id });
  return { id, replayed: !alive };
}
