import {
  buildCdar,
  type CdarParty,
  type CdarReason,
  collectedReason,
} from "#src/domain/cdar/mod.ts";
import type { StatusDefinition } from "#src/domain/invoice/status_catalogue.ts";
import { type InvoiceDocument, type Party, sirenOf } from "#src/domain/ubl/mod.ts";
import type { Said } from "./tell.ts";

/** Says as the one party of an invoice, to the other, what status it has: we are the seller of what we issued. */
export function cdarOf(
  invoice: InvoiceDocument,
  { direction, status, said, at, now }: {
    direction: "issued" | "received";
    status: StatusDefinition;
    said: Said;
    at: string;
    now: string;
  },
): string {
  const seller = partyOf(invoice.seller, "SE");
  const buyer = partyOf(invoice.buyer, "BY");
  const [issuer, recipient] = direction === "issued" ? [seller, buyer] : [buyer, seller];
  return buildCdar({
    status: status.code,
    at,
    issuedAt: now,
    messageName: `Cycle de vie ${invoice.number ?? ""}`.trim(),
    issuer,
    recipients: [recipient],
    invoiceNumber: invoice.number ?? "",
    invoiceType: invoice.typeCode,
    invoiceDate: invoice.issueDate,
    sellerSiren: seller.id,
    reasons: reasonsOf(said),
  });
}

function partyOf(party: Party, role: "SE" | "BY"): CdarParty {
  const id = sirenOf(party);
  return { id, name: party.name, role, address: party.endpoint?.value ?? id };
}

function reasonsOf({ reason, comment, action, amounts }: Said): CdarReason[] {
  if (reason === undefined && comment === undefined && action === undefined && !amounts.length) {
    return [];
  }
  return [{
    code: reason,
    actionCode: action,
    comment,
    ...collectedReason(amounts),
  }];
}
