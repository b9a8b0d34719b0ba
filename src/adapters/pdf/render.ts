import { PDFDocument } from "@cantoo/pdf-lib";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { drawInvoice, titleIn } from "#src/invoice_page/mod.ts";
import type { PdfOptions } from "#src/ports/pdf.ts";
import type { Faces } from "./fonts.ts";
import { openSheet } from "./sheet.ts";

const PRODUCER = "Passerelle";

/** Objects compressed in one go while saving; a page takes about a millisecond. */
export const OBJECTS_PER_TICK = 20;

/** Metadata in the information dictionary of the file, and wherever else it is repeated. */
export interface Description {
  readonly title: string;
  readonly author: string;
  readonly createdAt: Date;
  readonly language: string;
  readonly producer: string;
}

/** Returns the pages of the invoice in a document that is not yet saved. */
export async function renderDocument(
  invoice: InvoiceDocument,
  options: PdfOptions & { readonly faces: Faces },
): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  describe(document, describeFile(invoice, options));
  const sheet = await openSheet(document, options.faces);
  await drawInvoice(sheet, invoice, options);
  await sheet.finish();
  return document;
}

/** Returns the description of an invoice's file; equal invoices have equal ones. */
export function describeFile(invoice: InvoiceDocument, options: PdfOptions): Description {
  return {
    title: titleIn(options.language, invoice),
    author: invoice.seller.name ?? "",
    createdAt: options.createdAt ?? new Date(`${invoice.issueDate ?? "1970-01-01"}T00:00:00Z`),
    language: options.language,
    producer: PRODUCER,
  };
}

function describe(document: PDFDocument, description: Description): void {
  document.setTitle(description.title, { showInWindowTitleBar: true });
  if (description.author !== "") document.setAuthor(description.author);
  document.setProducer(description.producer);
  document.setCreator(description.producer);
  document.setCreationDate(description.createdAt);
  document.setModificationDate(description.createdAt);
  document.setLanguage(description.language);
}
