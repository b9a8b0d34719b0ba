import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import type { Language } from "#src/kernel/language.ts";

/** The invoice, or its XML, which is then read where it is rendered. */
export type PdfSource = InvoiceDocument | { readonly xml: string };

/** Appearance of a page. */
export interface PdfOptions {
  readonly language: Language;
  /** Status to show next to the title, already in the language of the page. */
  readonly statusLabel?: string;
  /** Creation date noted in the file; the issue date when absent, so that equal invoices give equal bytes. */
  readonly createdAt?: Date;
}

/**
 * Renders invoices for users. Rendering never fails on an invoice that lacks data: missing values are omitted.
 * Throws `too_large` where it takes too long.
 */
export interface InvoicePdf {
  /** Returns the readable invoice: A4, fonts embedded. */
  render(source: PdfSource, options: PdfOptions): Promise<Uint8Array>;
  /**
   * Returns the same pages as a Factur-X file: PDF/A-3b in structure, with the invoice embedded as UN/CEFACT CII
   * (`factur-x.xml`, profile EN 16931). Conformance to PDF/A is not verified here.
   */
  facturX(source: PdfSource, options: PdfOptions): Promise<Uint8Array>;
}
