import type { Deps } from "#src/deps.ts";
import { isOpenSubmission } from "#src/domain/submission/state.ts";
import { lockInvoiceById } from "#src/features/invoices/mod.ts";
import { type SettleItems, settlingRuns } from "#src/features/runs/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { accept } from "./accept.ts";
import { type Before, beforeOf, type ResendNeeds, sendAgain } from "./resend.ts";
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
import { mismatchOf } from "../pa/verify_flow.ts";

/**
 * What a person decides about a sending that stands still. `probe` the PA is asked again, and what it does not have is
 * sent · `send` the person knows that the PA does not have it: it is sent without asking · `adopt` the person knows the
 * PA's flow, which the PA must confirm.
 */
type ReplayAction = { readonly action: "probe" | "send" } | {
  readonly action: "adopt";
  readonly flowId: string;
};

export interface Replayed {
  /** The sending that goes on: the given one, or for a failed one the next generation. */
  readonly id: string;
  /** Where it stood when the person decided. */
  readonly before: Before;
  /** False when it was under way already, so that a replay told twice is one. */
  readonly replayed: boolean;
}

type GoesOn = Omit<Replayed, "before">;
type Needs = ResendNeeds & Pick<Deps, "log" | "pa" | "settings" | "vault">;

/** Takes a sending that stands still further: a parked one, a failed one, or an open one whose task died. */
export async function replaySubmission(
  deps: Needs,
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
    const before = beforeOf(invoice, submission);
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

/** A flow id is easily mistyped: the PA is asked whether it is this sending. */
async function confirmFlow(deps: Needs, submission: SubmissionRow, flowId: string): Promise<void> {
  const { id, payloadSha256: sha256 } = submission;
  const others = await flowsOfOthers(deps.db, id, [flowId]);
  if (others.size) throw new AppError("conflict", say`Flow ${flowId} is that of another sending`);
  const mismatch = await mismatchOf(await openPa(deps), flowId, { id, sha256 });
  if (mismatch !== undefined) throw new AppError("refused", mismatch);
}

async function unpark(
  deps: Needs,
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
async function wake(deps: Needs, tx: Db, id: string): Promise<GoesOn> {
  const alive = await deps.tasks.revive(tx, submitTask, { submissionId: id });
  if (!alive) await deps.tasks.enqueue(tx, submitTask, { submissionId: id });
  return { id, replayed: !alive };
}
