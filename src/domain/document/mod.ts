import { CII_NAMESPACES, readCii } from "#src/domain/cii/mod.ts";
import { type InvoiceDocument, type InvoiceSyntax, readInvoice } from "#src/domain/ubl/mod.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { XmlDocument } from "#src/xml/mod.ts";

const UBL = "urn:oasis:names:specification:ubl:schema:xsd:";
const ROOTS: ReadonlyMap<string, InvoiceSyntax> = new Map([
  [`{${UBL}Invoice-2}Invoice`, "UBL"],
  [`{${UBL}CreditNote-2}CreditNote`, "UBL"],
  [`{${CII_NAMESPACES.rsm}}CrossIndustryInvoice`, "CII"],
]);

/** By the root element alone; undefined for anything that is no invoice. */
export function syntaxOf({ root }: Pick<XmlDocument, "root">): InvoiceSyntax | undefined {
  return ROOTS.get(`{${root.ns}}${root.local}`);
}

/** An invoice of either syntax in the one model. Throws `AppError` "unsupported" for any other root element. */
export function readDocument(document: XmlDocument): InvoiceDocument {
  return syntaxOf(document) === "CII" ? readCii(document) : readInvoice(document);
}

/** What an invoice of either syntax says; undefined for a document that is none. */
export function invoiceIn(document: XmlDocument): InvoiceDocument | undefined {
  return syntaxOf(document) && readDocument(document);
}

/**
 * Bytes of the file of one invoice, XML or Factur-X: 20,000 whole lines, or 12 MB of attachments in base64. It is held as a
 * whole, kept as one value and sent as one message, each at once; six times as much would hold the event loop up.
 */
export const MOST_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Lines, and VAT subtotals, of an invoice that is recorded. */
const MOST_ROWS = 50_000;

/** Why an invoice is too long to be recorded, where it is. */
export function tooLong(
  { lines, vatBreakdown }: Pick<InvoiceDocument, "lines" | "vatBreakdown">,
): Sentence | undefined {
  if (lines.length > MOST_ROWS) {
    return say`It has ${lines.length} lines; ${MOST_ROWS} can be recorded`;
  }
  return vatBreakdown.length > MOST_ROWS
    ? say`It has ${vatBreakdown.length} VAT subtotals; ${MOST_ROWS} can be recorded`
    : undefined;
}
