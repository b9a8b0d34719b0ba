import { PDFDocument } from "pdf-lib";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import type { InvoicePdfOptions } from "#src/ports/pdf.ts";
import type { Faces } from "./fonts.ts";
import { titleOf, type Words, wordsIn } from "./labels/words.ts";
import { drawAdjustments } from "./sections/adjustments.ts";
import { drawDetails } from "./sections/details.ts";
import { drawContinuation, drawFooters, drawHeader } from "./sections/header.ts";
import { drawLines } from "./sections/lines.ts";
import { drawNotes } from "./sections/notes.ts";
import { drawParties } from "./sections/parties.ts";
import { drawPayment } from "./sections/payment.ts";
import { joined } from "./sections/scene.ts";
import { drawTotals } from "./sections/totals.ts";
import { openSheet } from "./sheet.ts";

const PRODUCER = "Passerelle";

/** Objects compressed in one go while saving; a page takes about a millisecond. */
export const OBJECTS_PER_TICK = 20;

/** What the file says of itself, in its information dictionary and wherever else it repeats it. */
export interface Description {
  readonly title: string;
  readonly author: string;
  readonly createdAt: Date;
  readonly language: string;
  readonly producer: string;
}

/** The pages of the invoice in a document that is not yet saved. */
export async function renderDocument(
  invoice: InvoiceDocument,
  options: InvoicePdfOptions & { readonly faces: Faces },
): Promise<PDFDocument> {
  const words = wordsIn(options.language, invoice.currency);
  const document = await PDFDocument.create({ updateMetadata: false });
  describe(document, descriptionOf(invoice, options));
  const sheet = await openSheet(
    document,
    options.faces,
    (turned) => drawContinuation({ invoice, words }, turned),
  );
  const scene = { sheet, invoice, words };
  drawHeader(scene, options.statusLabel);
  drawParties(scene);
  drawDetails(scene);
  await drawLines(scene);
  await drawAdjustments(scene);
  await drawTotals(scene);
  drawPayment(scene);
  drawNotes(scene);
  drawFooters(scene);
  return document;
}

export function descriptionOf(invoice: InvoiceDocument, options: InvoicePdfOptions): Description {
  const words: Words = wordsIn(options.language, invoice.currency);
  return {
    title: joined([titleOf(invoice.kind, invoice.typeCode, words), invoice.number], " ") ?? "",
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
