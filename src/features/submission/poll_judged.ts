import type { Deps } from "#src/deps.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { type Fact, recordEvidence } from "#src/features/evidence/mod.ts";
import { lockInvoiceById, recordStatus, type StatusChange } from "#src/features/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import { adoptSeen } from "./end_submission.ts";
import type { OwnCopy } from "./poll_duplicates.ts";
import { lockSendings } from "./poll_store.ts";
import { settleStatusMessages } from "./status_to_pa_settle.ts";
import { type SubmissionRow, updateSubmission } from "./submission_store.ts";

type Needs = Pick<Deps, "clock" | "live">;

/** Records what the platform says of flows of ours: invoices it took or refused, and status messages. */
export async function recordJudged(
  needs: Needs,
  tx: Db,
  { flows, copies }: { flows: readonly Flow[]; copies: ReadonlyMap<string, OwnCopy> },
): Promise<StatusChange[]> {
  const sendings = await lockSendings(tx, flows);
  const byId = new Map(sendings.map((it) => [it.id, it]));
  const byFlow = new Map(sendings.map((it) => [it.flowId, it]));
  const changes: StatusChange[] = [];
  const facts: Fact[] = [];
  const others: Flow[] = [];
  for (const flow of flows) {
    const sending = byId.get(flow.trackingId ?? "") ?? byFlow.get(flow.flowId);
    if (!sending) others.push(flow);
    else {
      const change = await recordVerdict(needs, tx, {
        flow,
        sending,
        copy: copies.get(flow.flowId),
      });
      if (change) changes.push(change);
      facts.push(acknowledgement(sending.invoiceId, flow));
    }
  }
  await recordEvidence(tx, facts);
  return [...changes, ...await settleStatusMessages(needs, tx, others)];
}

async function recordVerdict(
  needs: Needs,
  tx: Db,
  { flow, sending, copy }: { flow: Flow; sending: SubmissionRow; copy: OwnCopy | undefined },
): Promise<StatusChange | undefined> {
  if (flow.ack.status === "Ok") {
    await adoptSeen(needs, tx, { submissionId: sending.id, flowId: flow.flowId });
    return undefined;
  }
  if (flow.ack.status !== "Error") return undefined;
  if (copy) {
    await copy.apply(tx);
    return undefined;
  }
  const another = sending.flowId !== null && sending.flowId !== flow.flowId;
  return another ? undefined : await recordRefusal(needs, tx, { flow, sending });
}

/** Received, looked at, and not taken: the sending failed, with the platform's reasons (9904). */
async function recordRefusal(
  needs: Needs,
  tx: Db,
  { flow, sending }: { flow: Flow; sending: SubmissionRow },
): Promise<StatusChange | undefined> {
  const message =
    flow.ack.details.map((it) => `${it.reasonCode}: ${it.reasonMessage}`).join("; ") ||
    "The platform refused the flow without a reason";
  const replaced = sending.state === "superseded" || sending.state === "duplicate";
  if (!replaced) {
    await updateSubmission(tx, sending.id, {
      state: "rejected",
      flowId: flow.flowId,
      lastError: message,
    });
  }
  const invoice = await lockInvoiceById(tx, sending.invoiceId);
  if (!invoice) return undefined;
  const event = {
    code: STATUS.sendFailed,
    at: needs.clock.now(),
    source: "pa",
    message,
    reasonCode: flow.ack.details[0]?.reasonCode,
    data: { flowId: flow.flowId, details: flow.ack.details },
    paEventId: `${flow.flowId}#ack`,
    generation: sending.generation,
  };
  const effect = await recordStatus(needs, tx, { invoice, event });
  return effect.record ? { invoice, event } : undefined;
}

export function acknowledgement(invoiceId: number, flow: Flow): Fact {
  const { flowId, trackingId, flowType, submittedAt, updatedAt, ack } = flow;
  return {
    invoiceId,
    kind: "acknowledgement",
    content: flow.told,
    meta: { flowId, trackingId, flowType, submittedAt, updatedAt, ack },
  };
}
