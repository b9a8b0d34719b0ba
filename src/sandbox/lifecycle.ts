import {
  buildCdar,
  type CdarDraft,
  type CdarParty,
  type CdarReason,
} from "#src/domain/cdar/mod.ts";
import { findStatus } from "#src/domain/invoice/status.ts";
import type {
  InvoiceFacts,
  KnownFlow,
  ScheduledMessage,
  StatusFacts,
  StoredFlow,
} from "./model.ts";
import { type SandboxPa, sendToClient } from "./pa.ts";

/** Sends the client a lifecycle message about an invoice flow, as often as the step says. */
export async function tellStatus(
  pa: SandboxPa,
  about: StoredFlow,
  step: ScheduledMessage,
): Promise<readonly StoredFlow[]> {
  if (!about.invoice) return [];
  const at = new Date(pa.clock.now().getTime() + (step.shift ?? 0) * 1000).toISOString();
  const xml = buildCdar(getDraft(about.invoice, step, { at, receivedAt: about.submittedAt }));
  const bytes = new TextEncoder().encode(xml);
  const flows: StoredFlow[] = [];
  for (let copy = 0; copy < (step.copies ?? 1); copy++) {
    const name = `CDV ${about.invoice.number} ${step.status}`;
    const flowType = findType(about);
    flows.push(
      await sendToClient(pa, { name, flowSyntax: "CDAR", flowType, bytes, about: about.flowId }),
    );
  }
  return flows;
}

/** Returns the invoice of a lifecycle message if the PA stores it. */
export function findInvoice(pa: SandboxPa, facts: StatusFacts): KnownFlow | undefined {
  return [...pa.state.flows.values()].find((flow) =>
    flow.invoice !== undefined && flow.ack === "Ok" && flow.invoice.number === facts.number &&
    (facts.sellerSiren === undefined || flow.invoice.sellerSiren === facts.sellerSiren)
  );
}

/**
 * Returns the flow type for the client's side of the invoice. For an unknown invoice the client counts as the seller.
 */
export function getLifecycleType(pa: SandboxPa, facts: StatusFacts): string {
  return findType(findInvoice(pa, facts));
}

function findType(about: Pick<KnownFlow, "flowDirection"> | undefined): string {
  return about?.flowDirection === "In" ? "SupplierInvoiceLC" : "CustomerInvoiceLC";
}

function getDraft(
  invoice: InvoiceFacts,
  step: ScheduledMessage,
  times: { at: string; receivedAt: string },
): CdarDraft {
  return {
    ...times,
    status: step.status,
    statusText: step.text,
    typeCode: findStatus(step.status)?.messageType ?? "23",
    messageName: `Cycle de vie ${invoice.number}`,
    issuer: getIssuer(invoice, step),
    recipients: [getSeller(invoice)],
    invoiceNumber: invoice.number,
    invoiceType: invoice.typeCode,
    invoiceDate: invoice.issueDate,
    sellerSiren: invoice.sellerSiren,
    reasons: getReasons(invoice, step),
  };
}

function getIssuer(invoice: InvoiceFacts, step: ScheduledMessage): CdarParty {
  const status = findStatus(step.status);
  if (status?.messageType === "305") return { role: "WK" };
  if (status?.setBy.includes("supplier") && !status.setBy.includes("buyer")) {
    return getSeller(invoice);
  }
  return {
    id: invoice.buyerSiren ?? "000000000",
    name: invoice.buyerName,
    role: "BY",
    address: invoice.buyerAddress,
  };
}

function getSeller(invoice: InvoiceFacts): CdarParty {
  return {
    id: invoice.sellerSiren,
    name: invoice.sellerName,
    role: "SE",
    address: invoice.sellerAddress ?? invoice.sellerSiren,
  };
}

function getReasons(invoice: InvoiceFacts, step: ScheduledMessage): readonly CdarReason[] {
  const given = step.amounts ?? (step.status === "212" ? invoice.byRate : undefined);
  const amounts = given?.map((one) => ({
    type: "MEN",
    currency: invoice.currency,
    ...one,
  }));
  if (!amounts && step.reason === undefined && step.comment === undefined) return [];
  return [{
    code: step.reason,
    actionCode: step.action,
    comment: step.comment,
    ...(amounts ? { amounts } : {}),
  }];
}
