import {
  buildCdar,
  type CdarDraft,
  type CdarParty,
  type CdarReason,
} from "#src/domain/cdar/mod.ts";
import { statusOf } from "#src/domain/invoice/status.ts";
import type { InvoiceFacts, KnownFlow, StatusFacts, Step, StoredFlow } from "./model.ts";
import { type SandboxPa, sendToClient } from "./pa.ts";

/** Sends the client a lifecycle message about an invoice flow, as often as the step says. */
export async function tellStatus(
  pa: SandboxPa,
  about: StoredFlow,
  step: Step,
): Promise<readonly StoredFlow[]> {
  if (!about.invoice) return [];
  const at = new Date(pa.clock.now().getTime() + (step.shift ?? 0) * 1000).toISOString();
  const xml = buildCdar(draftOf(about.invoice, step, { at, receivedAt: about.submittedAt }));
  const bytes = new TextEncoder().encode(xml);
  const flows: StoredFlow[] = [];
  for (let copy = 0; copy < (step.copies ?? 1); copy++) {
    const name = `CDV ${about.invoice.number} ${step.status}`;
    const flowType = typeOf(about);
    flows.push(
      await sendToClient(pa, { name, flowSyntax: "CDAR", flowType, bytes, about: about.flowId }),
    );
  }
  return flows;
}

/** The invoice a lifecycle message is about, where the PA holds it. */
export function invoiceOf(pa: SandboxPa, facts: StatusFacts): KnownFlow | undefined {
  return [...pa.state.flows.values()].find((flow) =>
    flow.invoice !== undefined && flow.ack === "Ok" && flow.invoice.number === facts.number &&
    (facts.sellerSiren === undefined || flow.invoice.sellerSiren === facts.sellerSiren)
  );
}

/** By the side of the invoice it is about; of one it does not know, the client is taken for the seller. */
export function lifecycleTypeOf(pa: SandboxPa, facts: StatusFacts): string {
  return typeOf(invoiceOf(pa, facts));
}

function typeOf(about: Pick<KnownFlow, "flowDirection"> | undefined): string {
  return about?.flowDirection === "In" ? "SupplierInvoiceLC" : "CustomerInvoiceLC";
}

function draftOf(
  invoice: InvoiceFacts,
  step: Step,
  times: { at: string; receivedAt: string },
): CdarDraft {
  return {
    ...times,
    status: step.status,
    statusText: step.text,
    typeCode: statusOf(step.status)?.messageType ?? "23",
    messageName: `Cycle de vie ${invoice.number}`,
    issuer: issuerOf(invoice, step),
    recipients: [sellerOf(invoice)],
    invoiceNumber: invoice.number,
    invoiceType: invoice.typeCode,
    invoiceDate: invoice.issueDate,
    sellerSiren: invoice.sellerSiren,
    reasons: reasonsOf(invoice, step),
  };
}

function issuerOf(invoice: InvoiceFacts, step: Step): CdarParty {
  const status = statusOf(step.status);
  if (status?.messageType === "305") return { role: "WK" };
  if (status?.setBy.includes("supplier") && !status.setBy.includes("buyer")) {
    return sellerOf(invoice);
  }
  return {
    id: invoice.buyerSiren ?? "000000000",
    name: invoice.buyerName,
    role: "BY",
    address: invoice.buyerAddress,
  };
}

function sellerOf(invoice: InvoiceFacts): CdarParty {
  return {
    id: invoice.sellerSiren,
    name: invoice.sellerName,
    role: "SE",
    address: invoice.sellerAddress ?? invoice.sellerSiren,
  };
}

function reasonsOf(invoice: InvoiceFacts, step: Step): readonly CdarReason[] {
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
