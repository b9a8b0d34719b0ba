import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { CII_NAMESPACES } from "../namespaces.ts";
import { headerAgreement, headerDelivery } from "./agreement.ts";
import { line } from "./lines.ts";
import { dateIn } from "./parts.ts";
import { headerSettlement } from "./settlement.ts";
import { group, leaf, requireElement, toXml, type XmlPart } from "./xml.ts";

/**
 * Writes an invoice as a UN/CEFACT CrossIndustryInvoice (D22B) in the profile EN 16931, elements in the order of
 * its schema. Values are written as read; nothing is computed, and undefined values are omitted. D16B differs in
 * one point: it allows a single preceding invoice (BG-3).
 */
export function writeCii(invoice: InvoiceDocument): string {
  const root = requireElement(
    "rsm:CrossIndustryInvoice",
    context(invoice),
    exchangedDocument(invoice),
    requireElement(
      "rsm:SupplyChainTradeTransaction",
      invoice.lines.map(line),
      headerAgreement(invoice),
      headerDelivery(invoice),
      headerSettlement(invoice),
    ),
  );
  const namespaces = Object.entries(CII_NAMESPACES).map((
    [prefix, uri],
  ) => [`xmlns:${prefix}`, uri]);
  return toXml({ ...root, attributes: Object.fromEntries(namespaces) });
}

function context({ processType, customizationId }: InvoiceDocument): XmlPart {
  return requireElement(
    "rsm:ExchangedDocumentContext",
    group("ram:BusinessProcessSpecifiedDocumentContextParameter", leaf("ram:ID", processType)),
    group("ram:GuidelineSpecifiedDocumentContextParameter", leaf("ram:ID", customizationId)),
  );
}

function exchangedDocument(invoice: InvoiceDocument): XmlPart {
  return requireElement(
    "rsm:ExchangedDocument",
    leaf("ram:ID", invoice.number),
    leaf("ram:TypeCode", invoice.typeCode),
    dateIn("ram:IssueDateTime", invoice.issueDate),
    invoice.notes.map(({ subject, text }) =>
      group(
        "ram:IncludedNote",
        leaf("ram:Content", text),
        leaf("ram:SubjectCode", subject),
      )
    ),
  );
}
