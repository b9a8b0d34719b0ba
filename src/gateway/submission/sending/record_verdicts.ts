import { toColumns } from "#src/kernel/i18n/kept.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { type EvidenceEntry, recordEvidence } from "#src/gateway/evidence/mod.ts";
import {
  lockInvoiceById,
  type PaFiling,
  recordFilings,
  recordStatus,
  type StatusChange,
} from "#src/gateway/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import type { SettleItems } from "#src/gateway/runs/mod.ts";
import { accept } from "./accept.ts";
import type { OwnCopy } from "./reconcile_duplicate.ts";
import { lockSubmissions, type SubmissionRow, type Taken, updateSubmission } from "./store.ts";

type RecordVerdictsDeps = Pick<Deps, "clock" | "live" | "notifier">;

interface Verdicts {
  readonly changes: readonly StatusChange[];
  /** Flows without a submission of ours. */
  readonly others: readonly Flow[];
}

/** Records whether the PA accepted or refused our invoices. `copies` is keyed by flow id. */
export async function recordVerdicts(
  deps: RecordVerdictsDeps,
  { tx, settle }: { tx: Db; settle: SettleItems },
  { flows, copies }: { flows: readonly Flow[]; copies: ReadonlyMap<string, OwnCopy> },
): Promise<Verdicts> {
  const sendings = await lockSubmissions(tx, flows);
  const byId = new Map(sendings.map((it) => [it.id, it]));
  const byFlow = new Map(sendings.map((it) => [it.flowId, it]));
  const taken: Taken[] = [];
  const changes: StatusChange[] = [];
  const facts: EvidenceEntry[] = [];
  const others: Flow[] = [];
  const archived: Archived[] = [];
  const filings = new Map<number, PaFiling>();
  for (const flow of flows) {
    const sending = byId.get(flow.trackingId ?? "") ?? byFlow.get(flow.flowId);
    if (!sending) others.push(flow);
    else {
      const { flowId, ack } = flow;
      if (ack.status === "Ok") {
        taken.push({ id: sending.id, flowId, n: null });
        if (WITHOUT_LIFECYCLE.has(flow.processingRule ?? "")) archived.push({ flow, sending });
      }
      const change = await recordVerdict(deps, tx, {
        flow,
        sending,
        copy: copies.get(flow.flowId),
      });
      if (change) changes.push(change);
      facts.push(acknowledgement(sending.invoiceId, flow));
      const { processingRule: rule, processingRuleSource: source } = flow;
      if (rule !== undefined && sending.state !== "superseded") {
        filings.set(sending.invoiceId, { rule, source });
      }
    }
  }
  await recordFilings(tx, filings);
  await accept(deps, { tx, settle }, [...new Map(taken.map((it) => [it.id, it])).values()]);
  changes.push(...await recordArchived(deps, tx, archived));
  await recordEvidence(tx, facts);
  return { changes, others };
}

/** Rules under which a PA sends no lifecycle message: its acknowledgement is its last word. */
const WITHOUT_LIFECYCLE: ReadonlySet<string> = new Set([
  "ArchiveOnly",
  "OutOfScope",
  "B2GOutOfScope",
]);

interface Archived {
  readonly flow: Flow;
  readonly sending: SubmissionRow;
}

/** Deposits the invoices about which no lifecycle message will come. */
async function recordArchived(
  deps: RecordVerdictsDeps,
  tx: Db,
  archived: readonly Archived[],
): Promise<StatusChange[]> {
  const changes: StatusChange[] = [];
  for (const { flow: { flowId, processingRule = "" }, sending } of archived) {
    const invoice = await lockInvoiceById(tx, sending.invoiceId);
    if (!invoice) continue;
    const event = {
      code: STATUS.deposited,
      at: deps.clock.now(),
      source: "pa",
      message: say`The PA holds it under the rule ${processingRule}: no status follows`,
      paEventId: `${flowId}#archived`,
      generation: sending.generation,
    };
    const effect = await recordStatus(deps, tx, { invoice, event });
    if (effect.record) changes.push({ invoice, event });
  }
  return changes;
}

async function recordVerdict(
  deps: RecordVerdictsDeps,
  tx: Db,
  { flow, sending, copy }: { flow: Flow; sending: SubmissionRow; copy: OwnCopy | undefined },
): Promise<StatusChange | undefined> {
  if (flow.ack.status !== "Error") return undefined;
  if (copy) {
    await copy.apply(tx);
    return undefined;
  }
  const another = sending.flowId !== null && sending.flowId !== flow.flowId;
  return another ? undefined : await recordRefusal(deps, tx, { flow, sending });
}

/** Records that the PA received and refused it: sending failed, with the PA's reasons (9904). */
async function recordRefusal(
  deps: RecordVerdictsDeps,
  tx: Db,
  { flow, sending }: { flow: Flow; sending: SubmissionRow },
): Promise<StatusChange | undefined> {
  const message = getReasons(flow) || say`The PA refused the flow without a reason`;
  const replaced = sending.state === "superseded" || sending.state === "duplicate";
  if (!replaced) {
    await updateSubmission(tx, sending.id, {
      state: "rejected",
      flowId: flow.flowId,
      ...toColumns("lastError", message),
    });
  }
  const invoice = await lockInvoiceById(tx, sending.invoiceId);
  if (!invoice) return undefined;
  const event = {
    code: STATUS.sendFailed,
    at: deps.clock.now(),
    source: "pa",
    message,
    reasonCode: flow.ack.details[0]?.reasonCode,
    data: { flowId: flow.flowId, details: flow.ack.details },
    paEventId: `${flow.flowId}#ack`,
    generation: sending.generation,
  };
  const effect = await recordStatus(deps, tx, { invoice, event });
  return effect.record ? { invoice, event } : undefined;
}

function getReasons({ ack: { details } }: Flow): string {
  return details.map((it) => `${it.reasonCode}: ${it.reasonMessage}`).join("; ");
}

function acknowledgement(invoiceId: number, flow: Flow): EvidenceEntry {
  const { flowId, trackingId, flowType, submittedAt, updatedAt, ack } = flow;
  return {
    invoiceId,
    kind: "acknowledgement",
    content: flow.answer,
    meta: { flowId, trackingId, flowType, submittedAt, updatedAt, ack },
  };
}
