import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";

export interface InvoicePdfOptions {
  readonly language: "fr" | "en";
  /** Status to show beside the title, already in the language of the page. */
  readonly statusLabel?: string | undefined;
  /** Creation date noted in the file; the issue date when absent, so that equal invoices give equal bytes. */
  readonly createdAt?: Date | undefined;
}

/** Renders invoices for people. Never fails on an invoice that lacks data: what is missing is left out. */
export interface InvoicePdf {
  /** The readable invoice: A4, fonts embedded. */
  render(invoice: InvoiceDocument, options: InvoicePdfOptions): Promise<Uint8Array>;
  /**
   * The same pages as a Factur-X file: PDF/A-3b in structure, with the invoice embedded as UN/CEFACT CII
   * (`factur-x.xml`, profile EN 16931). Conformance to PDF/A is not verified here.
   */
  facturX(invoice: InvoiceDocument, options: InvoicePdfOptions): Promise<Uint8Array>;
}
