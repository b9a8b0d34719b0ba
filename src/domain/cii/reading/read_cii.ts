import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { XmlDocument } from "#src/xml/mod.ts";
import { CII_NAMESPACES } from "../namespaces.ts";
import { readLine } from "./lines.ts";
import { all, at, type CiiNode, date, isPresent, text } from "./nodes.ts";
import { readAllowanceCharges, readDelivery, readParty, readPeriod } from "./parts.ts";
import { readAttachments, readNotes, readPrecedingInvoices, readReferences } from "./references.ts";
import {
  readPayments,
  readPaymentTerms,
  readTaxPoint,
  readTotals,
  readVatBreakdown,
} from "./settlement.ts";

/**
 * Reads a UN/CEFACT CrossIndustryInvoice (D16B or D22B) into the same model as UBL. The reader is tolerant: a
 * missing or malformed value is undefined. Throws `AppError` "unsupported" for any other root element.
 */
export function readCii({ root }: XmlDocument): InvoiceDocument {
  if (root.ns !== CII_NAMESPACES.rsm || root.local !== "CrossIndustryInvoice") {
    throw new AppError(
      "unsupported",
      say`the root element {${root.ns}}${root.local} is not a CrossIndustryInvoice`,
    );
  }
  const context = at(root, "ExchangedDocumentContext");
  const document = at(root, "ExchangedDocument");
  const transaction = at(root, "SupplyChainTradeTransaction");
  const typeCode = text(document, "TypeCode");
  return {
    syntax: "CII",
    kind: CREDIT_NOTES.has(typeCode ?? "") ? "creditNote" : "invoice",
    number: text(document, "ID"),
    issueDate: date(document, "IssueDateTime"),
    typeCode,
    processType: text(context, "BusinessProcessSpecifiedDocumentContextParameter", "ID"),
    customizationId: text(context, "GuidelineSpecifiedDocumentContextParameter", "ID"),
    references: readReferences(transaction),
    notes: readNotes(document),
    ...readAgreement(at(transaction, "ApplicableHeaderTradeAgreement")),
    delivery: readDelivery(at(transaction, "ApplicableHeaderTradeDelivery")),
    ...readSettlement(at(transaction, "ApplicableHeaderTradeSettlement")),
    lines: all(transaction, "IncludedSupplyChainTradeLineItem").map((line) =>
      readLine(line, text(transaction, "ApplicableHeaderTradeSettlement", "InvoiceCurrencyCode"))
    ),
  };
}

function readAgreement(agreement: CiiNode) {
  const representative = at(agreement, "SellerTaxRepresentativeTradeParty");
  return {
    seller: readParty(at(agreement, "SellerTradeParty")),
    buyer: readParty(at(agreement, "BuyerTradeParty")),
    taxRepresentative: representative && readParty(representative),
    attachments: readAttachments(agreement),
  };
}

function readSettlement(settlement: CiiNode) {
  const payee = at(settlement, "PayeeTradeParty");
  const terms = all(settlement, "SpecifiedTradePaymentTerms");
  const currencies = {
    currency: text(settlement, "InvoiceCurrencyCode"),
    taxCurrency: text(settlement, "TaxCurrencyCode"),
  };
  return {
    ...currencies,
    ...readTaxPoint(settlement),
    dueDate: terms.map((it) => date(it, "DueDateDateTime")).find(isPresent),
    paymentTerms: readPaymentTerms(settlement),
    precedingInvoices: readPrecedingInvoices(settlement),
    payee: payee && readParty(payee),
    period: readPeriod(at(settlement, "BillingSpecifiedPeriod")),
    payments: readPayments(settlement),
    creditorId: text(settlement, "CreditorReferenceID"),
    allowances: readAllowanceCharges(settlement, false),
    charges: readAllowanceCharges(settlement, true),
    totals: readTotals(settlement, currencies),
    vatBreakdown: readVatBreakdown(settlement, currencies.currency),
  };
}
