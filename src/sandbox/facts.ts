import { parseXml, XmlError } from "#src/xml/mod.ts";
import { detectSyntax, readDocument } from "#src/domain/document/mod.ts";
import { summarizeInvoice, toVatRows, type VatRow } from "#src/domain/ubl/mod.ts";
import { collectedAmounts, isCdar, parseCdar } from "#src/domain/cdar/mod.ts";
import {
  chooseRecipient,
  decideTreatment,
  declaredRule,
  ourRole,
} from "#src/domain/treatment/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { InvoiceFacts, StatusFacts } from "./model.ts";

/** Extracts the CII of a Factur-X. Throws AppError `refused` if the PDF contains no readable invoice. */
export type OpenFacturX = (pdf: Uint8Array) => Promise<Uint8Array>;

export interface Facts {
  readonly invoice: InvoiceFacts | undefined;
  readonly status: StatusFacts | undefined;
  readonly unreadable: string | undefined;
}

const NOTHING: Facts = { invoice: undefined, status: undefined, unreadable: undefined };

/** Extracts the facts of a file in UBL, CII, CDAR or, if it can be opened, Factur-X. */
export async function extractFacts(
  syntax: string,
  bytes: Uint8Array,
  openFacturX: OpenFacturX | undefined,
): Promise<Facts> {
  if (bytes.length === 0) return NOTHING;
  try {
    if (syntax === "UBL" || syntax === "CII") return copyFacts(invoiceFacts(syntax, bytes));
    if (syntax === "CDAR") return copyFacts(cdarFacts(bytes));
    return syntax === "Factur-X" && openFacturX !== undefined
      ? copyFacts(invoiceFacts("CII", await openFacturX(bytes)))
      : NOTHING;
  } catch (error) {
    const isUnreadable = error instanceof XmlError ||
      (error instanceof AppError && error.code === "refused");
    if (!isUnreadable) throw error;
    return { ...NOTHING, unreadable: error.message };
  }
}

/** Copies the texts. V8 stores a substring as a view of the whole document, which would then stay in memory. */
function copyFacts(facts: Facts): Facts {
  return { ...NOTHING, ...JSON.parse(JSON.stringify(facts)) };
}

function invoiceFacts(syntax: string, bytes: Uint8Array): Facts {
  const document = parseXml(bytes);
  if (detectSyntax(document) !== syntax) {
    return { ...NOTHING, unreadable: `${document.root.local} is no invoice in ${syntax}` };
  }
  const invoice = readDocument(document);
  const summary = summarizeInvoice(invoice);
  const role = ourRole({ direction: "issued", invoiceType: invoice.typeCode });
  const treatment = decideTreatment(invoice, { direction: "issued" });
  if (!summary.ublNumber) return { ...NOTHING, unreadable: "The invoice has no number" };
  if (!summary.supplierSiren) return { ...NOTHING, unreadable: "The seller has no SIREN" };
  return {
    ...NOTHING,
    invoice: {
      number: summary.ublNumber,
      issueDate: summary.issueDate,
      typeCode: summary.invoiceType,
      sellerSiren: summary.supplierSiren,
      sellerName: summary.supplierName,
      sellerAddress: summary.supplierEndpoint,
      buyerSiren: summary.customerSiren,
      buyerName: summary.customerName,
      buyerAddress: summary.customerEndpoint,
      recipient: chooseRecipient(invoice, role),
      notedRule: treatment.source === "document" ? declaredRule(treatment.code) : undefined,
      isInternalCreditNote: invoice.kind === "creditNote" && invoice.precedingInvoices.length > 0,
      vatOnReceipt: treatment.vatOnReceipt,
      amountDue: summary.amountDue,
      currency: summary.currency ?? "EUR",
      byRate: byRate(toVatRows(invoice)),
    },
  };
}

function byRate(rows: readonly VatRow[]): InvoiceFacts["byRate"] {
  const cents = new Map<string, number>();
  for (const row of rows) {
    const rate = row.taxRate ?? "0";
    const amount = Math.round((Number(row.taxableAmount ?? 0) + Number(row.taxAmount ?? 0)) * 100);
    cents.set(rate, (cents.get(rate) ?? 0) + amount);
  }
  return [...cents].map(([rate, amount]) => ({ rate, amount: (amount / 100).toFixed(2) }));
}

function cdarFacts(bytes: Uint8Array): Facts {
  const document = parseXml(bytes);
  const [event] = isCdar(document) ? parseCdar(document) : [];
  if (!event) return { ...NOTHING, unreadable: "The file is no lifecycle message with a status" };
  return {
    ...NOTHING,
    status: {
      number: event.invoiceNumber,
      sellerSiren: event.sellerSiren,
      status: event.status,
      issuerRole: event.issuer?.role,
      reasons: event.reasons.flatMap((reason) => reason.code ?? []),
      amounts: collectedAmounts(event),
    },
  };
}
