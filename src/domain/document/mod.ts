import { CII_NAMESPACES, readCii } from "#src/domain/cii/mod.ts";
import { type InvoiceDocument, type InvoiceSyntax, readInvoice } from "#src/domain/ubl/mod.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { XmlDocument } from "#src/xml/mod.ts";

const UBL = "urn:oasis:names:specification:ubl:schema:xsd:";
const ROOTS: ReadonlyMap<string, InvoiceSyntax> = new Map([
  [`{${UBL}Invoice-2}Invoice`, "UBL"],
  [`{${UBL}CreditNote-2}CreditNote`, "UBL"],
  [`{${CII_NAMESPACES.rsm}}CrossIndustryInvoice`, "CII"],
]);

/** Detects the syntax from the root element alone; undefined if the document is not an invoice. */
export function detectSyntax({ root }: Pick<XmlDocument, "root">): InvoiceSyntax | undefined {
  return ROOTS.get(`{${root.ns}}${root.local}`);
}

/**
 * Reads an invoice of either syntax in the one model. Throws `AppError` "unsupported" for any other root element.
 */
export function readDocument(document: XmlDocument): InvoiceDocument {
  return detectSyntax(document) === "CII" ? readCii(document) : readInvoice(document);
}

/** Reads an invoice of either syntax; undefined if the document is not an invoice. */
export function invoiceIn(document: XmlDocument): InvoiceDocument | undefined {
  return detectSyntax(document) && readDocument(document);
}

/**
 * Maximum size of one invoice file, XML or Factur-X: 20,000 complete lines, or 12 MB of attachments in base64.
 * The file is read, stored and sent as one value; a file six times as large would block the event loop.
 */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Lines, and VAT subtotals, of an invoice that is recorded. */
const MAX_ROWS = 50_000;

/** Explains why an invoice is too long to be recorded; undefined if it is not. */
export function tooLong(
  { lines, vatBreakdown }: Pick<InvoiceDocument, "lines" | "vatBreakdown">,
): Sentence | undefined {
  if (lines.length > MAX_ROWS) {
    return say`It has ${lines.length} lines; ${MAX_ROWS} can be recorded`;
  }
  return vatBreakdown.length > MAX_ROWS
    ? say`It has ${vatBreakdown.length} VAT subtotals; ${MAX_ROWS} can be recorded`
    : undefined;
}
