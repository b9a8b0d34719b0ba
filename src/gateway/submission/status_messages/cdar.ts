import { amountsReason, buildCdar, type CdarParty, type CdarReason } from "#src/domain/cdar/mod.ts";
import type { StatusDefinition } from "#src/domain/invoice/status_catalogue.ts";
import { type InvoiceDocument, type Party, readSiren } from "#src/domain/ubl/mod.ts";
import { electronicAddress, type Role } from "#src/domain/treatment/mod.ts";
import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";

/** Content of the status message, also stored on the record. */
export interface StatusContent {
  readonly reason?: string | undefined;
  readonly comment?: string | undefined;
  readonly action?: string | undefined;
  readonly amounts: readonly RateAmount[];
}

/** Writes the lifecycle message by which our side of an invoice reports a status to the other side. */
export function writeCdar(
  invoice: InvoiceDocument,
  { role, process, status, content, at, now }: {
    role: Role;
    /** MDT-2 */
    process: string;
    status: StatusDefinition;
    content: StatusContent;
    at: string;
    now: string;
  },
): string {
  const seller = getParty(invoice.seller, "SE");
  const buyer = getParty(invoice.buyer, "BY");
  const [issuer, recipient] = role === "seller" ? [seller, buyer] : [buyer, seller];
  return buildCdar({
    status: status.code,
    businessProcess: process,
    at,
    issuedAt: now,
    messageName: `Cycle de vie ${invoice.number ?? ""}`.trim(),
    issuer,
    recipients: [recipient],
    invoiceNumber: invoice.number ?? "",
    invoiceType: invoice.typeCode,
    invoiceDate: invoice.issueDate,
    sellerId: seller,
    reasons: getReasons(status, content),
  });
}

function getParty(party: Party, role: "SE" | "BY"): CdarParty {
  const address = electronicAddress(party);
  return {
    ...companyId(party),
    name: party.name,
    role,
    address: address?.value,
    addressScheme: address?.scheme,
  };
}

const EU_VAT_SCHEME = "0223";

/** Returns the SIREN; for a foreign company its legal identifier with its scheme, else its VAT number. */
function companyId(party: Party): Pick<CdarParty, "id" | "scheme"> {
  const siren = readSiren(party);
  if (siren) return { id: siren };
  if (party.legalId?.scheme) return { id: party.legalId.value, scheme: party.legalId.scheme };
  return party.vatId ? { id: party.vatId, scheme: EU_VAT_SCHEME } : {};
}

const PAYMENT_SENT = "211";

function getReasons(
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
