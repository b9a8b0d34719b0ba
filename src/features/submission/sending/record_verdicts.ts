import { kept } from "#src/kernel/sentences/kept.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { type Fact, recordEvidence } from "#src/features/evidence/mod.ts";
import { lockInvoiceById, recordStatus, type StatusChange } from "#src/features/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import type { SettleItems } from "#src/features/runs/mod.ts";
import { accept } from "./accept.ts";
import type { OwnCopy } from "./reconcile_duplicate.ts";
import { lockSendings, type SubmissionRow, type Taken, updateSubmission } from "./store.ts";

type Needs = Pick<Deps, "clock" | "live" | "notifier">;

interface Verdicts {
  readonly changes: readonly StatusChange[];
  /** Flows that carry no sending of ours. */
  readonly others: readonly Flow[];
}

/** Records what the PA says of invoices of ours: that it took or refused them. `copies` by flow id. */
export async function recordVerdicts(
  needs: Needs,
  { tx, settle }: { tx: Db; settle: SettleItems },
  { flows, copies }: { flows: readonly Flow[]; copies: ReadonlyMap<string, OwnCopy> },
): Promise<Verdicts> {
  const sendings = await lockSendings(tx, flows);
  const byId = new Map(sendings.map((it) => [it.id, it]));
  const byFlow = new Map(sendings.map((it) => [it.flowId, it]));
  const taken: Taken[] = [];
  const changes: StatusChange[] = [];
  const facts: Fact[] = [];
  const others: Flow[] = [];
  for (const flow of flows) {
    const sending = byId.get(flow.trackingId ?? "") ?? byFlow.get(flow.flowId);
    if (!sending) others.push(flow);
    else {
      const { flowId, ack } = flow;
      if (ack.status === "Ok") taken.push({ id: sending.id, flowId, n: null });
      const change = await recordVerdict(needs, tx, {
        flow,
        sending,
        copy: copies.get(flow.flowId),
      });
      if (change) changes.push(change);
      facts.push(acknowledgement(sending.invoiceId, flow));
    }
  }
  await accept(needs, { tx, settle }, [...new Map(taken.map((it) => [it.id, it])).values()]);
  await recordEvidence(tx, facts);
  return { changes, others };
}

async function recordVerdict(
  needs: Needs,
  tx: Db,
  { flow, sending, copy }: { flow: Flow; sending: SubmissionRow; copy: OwnCopy | undefined },
): Promise<StatusChange | undefined> {
  if (flow.ack.status !== "Error") return undefined;
  if (copy) {
    await copy.apply(tx);
    return undefined;
  }
  const another = sending.flowId !== null && sending.flowId !== flow.flowId;
  return another ? undefined : await recordRefusal(needs, tx, { flow, sending });
}

/** Received, looked at, and not taken: the sending failed, with the PA's reasons (9904). */
async function recordRefusal(
  needs: Needs,
  tx: Db,
  { flow, sending }: { flow: Flow; sending: SubmissionRow },
): Promise<StatusChange | undefined> {
  const message = reasonsOf(flow) || say`The PA refused the flow without a reason`;
  const replaced = sending.state === "superseded" || sending.state === "duplicate";
  if (!replaced) {
    await updateSubmission(tx, sending.id, {
      state: "rejected",
      flowId: flow.flowId,
      ...kept("lastError", message),
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

function reasonsOf({ ack: { details } }: Flow): string {
  return details.map((it) => `${it.reasonCode}: ${it.reasonMessage}`).join("; ");
}

function acknowledgement(invoiceId: number, flow: Flow): Fact {
  const { flowId, trackingId, flowType, submittedAt, updatedAt, ack } = flow;
  return {
    invoiceId,
    kind: "acknowledgement",
    content: flow.answer,
    meta: { flowId, trackingId, flowType, submittedAt, updatedAt, ack },
  };
}
