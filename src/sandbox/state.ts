import type {
  Entry,
  InvoiceFacts,
  KnownFlow,
  Plan,
  StoredFlow,
  WebhookRegistration,
} from "./model.ts";

/** State derived from the journal; only `apply` changes it. */
export interface State {
  readonly flows: Map<string, KnownFlow>;
  readonly byTracking: Map<string, string[]>;
  /** Maps an invoice key to its flow. A rejected invoice frees its key. */
  readonly holders: Map<string, string>;
  readonly plans: Map<string, Plan>;
  readonly webhooks: Map<string, WebhookRegistration>;
  lastSeq: number;
}

export function newState(): State {
  return {
    flows: new Map(),
    byTracking: new Map(),
    holders: new Map(),
    plans: new Map(),
    webhooks: new Map(),
    lastSeq: 0,
  };
}

/** Returns the identity of an invoice: number, seller and year of issue (DGFiP v3.2 §3.6). */
export function invoiceKey(facts: InvoiceFacts): string {
  return [facts.sellerSiren, facts.issueDate?.slice(0, 4) ?? "", facts.number].join("|");
}

/** Applies an entry to the state; `place` is its position in the journal. */
export function apply(state: State, entry: Entry, place: number): void {
  switch (entry.kind) {
    case "flow":
      return addFlow(state, toKnownFlow(entry.flow, place));
    case "ack":
      return acknowledge(state, entry);
    case "plan":
      return void state.plans.set(entry.plan.id, entry.plan);
    case "done":
      return void state.plans.delete(entry.planId);
    case "webhook":
      return void state.webhooks.set(entry.webhook.webhookId, entry.webhook);
    case "webhook-removed":
      return void state.webhooks.delete(entry.webhookId);
    case "reset":
      return clear(state);
  }
}

function toKnownFlow(flow: StoredFlow, place: number): KnownFlow {
  const { flowId, seq, trackingId, processingRule, flowType, flowDirection } = flow;
  const { updatedAt, ack, problems, about, invoice, status } = flow;
  return {
    flowId,
    seq,
    trackingId,
    processingRule,
    flowType,
    flowDirection,
    updatedAt,
    ack,
    problems: problems.length ? problems : NONE,
    about,
    invoice: invoice && {
      number: invoice.number,
      sellerSiren: invoice.sellerSiren,
      key: invoiceKey(invoice),
    },
    status: status?.status,
    place,
  };
}

const NONE: KnownFlow["problems"] = [];

function addFlow(state: State, flow: KnownFlow): void {
  state.flows.set(flow.flowId, flow);
  state.lastSeq = Math.max(state.lastSeq, flow.seq);
  if (flow.trackingId !== undefined) {
    const same = state.byTracking.get(flow.trackingId);
    if (same) same.push(flow.flowId);
    else state.byTracking.set(flow.trackingId, [flow.flowId]);
  }
  if (flow.invoice && flow.ack === "Ok") state.holders.set(flow.invoice.key, flow.flowId);
  const about = flow.about === undefined ? undefined : state.flows.get(flow.about);
  if (about?.invoice && flow.status === "213") release(state, about);
}

function acknowledge(state: State, entry: Extract<Entry, { kind: "ack" }>): void {
  const flow = state.flows.get(entry.flowId);
  if (!flow) return;
  const { status: ack, flowType, at: updatedAt } = entry;
  const problems = entry.problems.length ? entry.problems : NONE;
  state.flows.set(flow.flowId, { ...flow, ack, problems, flowType, updatedAt });
  if (flow.invoice && ack === "Ok") {
    const { key } = flow.invoice;
    if (!state.holders.has(key)) state.holders.set(key, flow.flowId);
  }
}

function release(state: State, flow: KnownFlow): void {
  if (!flow.invoice) return;
  const { key } = flow.invoice;
  if (state.holders.get(key) === flow.flowId) state.holders.delete(key);
}

function clear(state: State): void {
  state.flows.clear();
  state.byTracking.clear();
  state.holders.clear();
  state.plans.clear();
  state.webhooks.clear();
}
