import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { XmlDocument, XmlElement } from "#src/xml/mod.ts";
import { readAllowanceCharges, readTotals, readVatBreakdown } from "./amounts.ts";
import { readLines, readPeriod } from "./lines.ts";
import type { InvoiceDocument } from "./model.ts";
import { CREDIT_NOTE, date, group, INVOICE, text } from "./nodes.ts";
import { readCreditorId, readDelivery, readParty } from "./parties.ts";
import { readDueDate, readPayments, readPaymentTerms } from "./payment.ts";
import { readAttachments, readNotes, readPrecedingInvoices, readReferences } from "./references.ts";

/**
 * Reads a UBL 2.1 Invoice or CreditNote. A missing or malformed value is undefined, so that even an invalid
 * document can be listed and shown. Throws `AppError` "unsupported" for any other root element.
 */
export function readInvoice(document: XmlDocument): InvoiceDocument {
  const root = document.root;
  const kind = readKind(root);
  const currencies = {
    currency: text(root, "DocumentCurrencyCode"),
    taxCurrency: text(root, "TaxCurrencyCode"),
  };
  return {
    syntax: "UBL",
    kind,
    number: text(root, "ID"),
    issueDate: date(root, "IssueDate"),
    typeCode: text(root, kind === "invoice" ? "InvoiceTypeCode" : "CreditNoteTypeCode"),
    ...currencies,
    taxPointDate: date(root, "TaxPointDate"),
    taxPointDateCode: text(group(root, "InvoicePeriod"), "DescriptionCode"),
    dueDate: readDueDate(root),
    paymentTerms: readPaymentTerms(root),
    processType: text(root, "ProfileID"),
    customizationId: text(root, "CustomizationID"),
    references: readReferences(root),
    notes: readNotes(root),
    precedingInvoices: readPrecedingInvoices(root),
    ...readParties(root),
    delivery: readDelivery(group(root, "Delivery")),
    period: readPeriod(group(root, "InvoicePeriod")),
    payments: readPayments(root),
    allowances: readAllowanceCharges(root, false),
    charges: readAllowanceCharges(root, true),
    totals: readTotals(root, currencies),
    vatBreakdown: readVatBreakdown(root, currencies),
    attachments: readAttachments(root),
    lines: readLines(root, { currency: currencies.currency, number: text(root, "ID") }),
  };
}

function readParties(root: XmlElement) {
  const seller = group(root, "AccountingSupplierParty", "Party");
  const payee = group(root, "PayeeParty");
  const representative = group(root, "TaxRepresentativeParty");
  return {
    seller: readParty(seller),
    buyer: readParty(group(root, "AccountingCustomerParty", "Party")),
    payee: payee && readParty(payee),
    taxRepresentative: representative && readParty(representative),
    creditorId: readCreditorId(seller, payee),
  };
}

function readKind(root: XmlElement): InvoiceDocument["kind"] {
  if (root.ns === INVOICE && root.local === "Invoice") return "invoice";
  if (root.ns === CREDIT_NOTE && root.local === "CreditNote") return "creditNote";
  throw new AppError(
    "unsupported",
    say`the root element {${root.ns}}${root.local} is neither a UBL Invoice nor a UBL CreditNote`,
  );
}
