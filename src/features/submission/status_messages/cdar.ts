import { amountsReason, buildCdar, type CdarParty, type CdarReason } from "#src/domain/cdar/mod.ts";
import type { StatusDefinition } from "#src/domain/invoice/status_catalogue.ts";
import { type InvoiceDocument, type Party, sirenOf } from "#src/domain/ubl/mod.ts";
import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";

/** What goes into the message, and onto the record. */
export interface StatusContent {
  readonly reason?: string | undefined;
  readonly comment?: string | undefined;
  readonly action?: string | undefined;
  readonly amounts: readonly RateAmount[];
}

/** Says as the one party of an invoice, to the other, what status it has: we are the seller of what we issued. */
export function cdarOf(
  invoice: InvoiceDocument,
  { direction, status, content, at, now }: {
    direction: "issued" | "received";
    status: StatusDefinition;
    content: StatusContent;
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
    reasons: reasonsOf(status, content),
  });
}

function partyOf(party: Party, role: "SE" | "BY"): CdarParty {
  const id = sirenOf(party);
  return { id, name: party.name, role, address: party.endpoint?.value ?? id };
}

const PAYMENT_SENT = "211";

function reasonsOf(
  { code }: StatusDefinition,
  { reason, comment, action, amounts }: StatusContent,
): CdarReason[] {
  if (reason === undefined && comment === undefined && action === undefined && !amounts.length) {
    return [];
  }
  return [{
    code: reason,
    actionCode: action,
    comment,
    ...amountsReason(amounts, code === PAYMENT_SENT ? "paid" : "collected"),
  }];
}
