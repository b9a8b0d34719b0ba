import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import { titleOf, wordsIn } from "./labels/words.ts";
import { drawAdjustments } from "./sections/adjustments.ts";
import { drawDetails } from "./sections/details.ts";
import { drawContinuation, drawFooters, drawHeader } from "./sections/header.ts";
import { drawLines } from "./sections/lines.ts";
import { drawNotes } from "./sections/notes.ts";
import { drawParties } from "./sections/parties.ts";
import { drawPayment } from "./sections/payment.ts";
import { joined } from "./sections/scene.ts";
import { drawTotals } from "./sections/totals.ts";
import type { Sheet } from "./sheet.ts";

interface InvoicePageOptions {
  readonly language: Language;
  /** Status to show beside the title, already in the language of the page. */
  readonly statusLabel?: string | undefined;
}

/** Draws the whole invoice on a sheet whose first page is empty, over as many pages as it takes. */
export async function drawInvoice(
  sheet: Sheet,
  invoice: InvoiceDocument,
  { language, statusLabel }: InvoicePageOptions,
): Promise<void> {
  const words = wordsIn(language, invoice.currency);
  sheet.continuation = (turned) => drawContinuation({ invoice, words }, turned);
  const scene = { sheet, invoice, words };
  drawHeader(scene, statusLabel);
  drawParties(scene);
  drawDetails(scene);
  await drawLines(scene);
  await drawAdjustments(scene);
  await drawTotals(scene);
  drawPayment(scene);
  drawNotes(scene);
  drawFooters(scene);
}

/** "Facture RI-100000": what the document is, and its number. */
export function titleIn(language: Language, invoice: InvoiceDocument): string {
  const words = wordsIn(language, invoice.currency);
  return joined([titleOf(invoice.kind, invoice.typeCode, words), invoice.number], " ") ?? "";
}
