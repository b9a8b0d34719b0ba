import type { Entry, InvoiceFacts, Plan, StoredFlow, WebhookRegistration } from "./model.ts";

/** Sum of the journal; changed by `apply` alone. */
export interface State {
  readonly flows: Map<string, StoredFlow>;
  readonly byTracking: Map<string, string[]>;
  /** Invoice key → the flow that holds it. A rejected invoice frees its key. */
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

/** What makes an invoice one: number, seller and year of issue (DGFiP v3.2 §3.6). */
export function invoiceKey(facts: InvoiceFacts): string {
  return [facts.sellerSiren, facts.issueDate?.slice(0, 4) ?? "", facts.number].join("|");
}

export function apply(state: State, entry: Entry): void {
  switch (entry.kind) {
    case "flow":
      return addFlow(state, entry.flow);
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

function addFlow(state: State, flow: StoredFlow): void {
  state.flows.set(flow.flowId, flow);
  state.lastSeq = Math.max(state.lastSeq, flow.seq);
  if (flow.trackingId !== undefined) {
    const same = state.byTracking.get(flow.trackingId);
    if (same) same.push(flow.flowId);
    else state.byTracking.set(flow.trackingId, [flow.flowId]);
  }
  if (flow.invoice && flow.ack === "Ok") state.holders.set(invoiceKey(flow.invoice), flow.flowId);
  const about = flow.about === undefined ? undefined : state.flows.get(flow.about);
  if (about?.invoice && flow.status?.status === "213") release(state, about);
}

function acknowledge(state: State, entry: Extract<Entry, { kind: "ack" }>): void {
  const flow = state.flows.get(entry.flowId);
  if (!flow) return;
  const { status: ack, problems, flowType, at: updatedAt } = entry;
  state.flows.set(flow.flowId, { ...flow, ack, problems, flowType, updatedAt });
  if (flow.invoice && ack === "Ok") {
    const key = invoiceKey(flow.invoice);
    if (!state.holders.has(key)) state.holders.set(key, flow.flowId);
  }
}

function release(state: State, flow: StoredFlow): void {
  if (!flow.invoice) return;
  const key = invoiceKey(flow.invoice);
  if (state.holders.get(key) === flow.flowId) state.holders.delete(key);
}

function clear(state: State): void {
  state.flows.clear();
  state.byTracking.clear();
  state.holders.clear();
  state.plans.clear();
  state.webhooks.clear();
}
