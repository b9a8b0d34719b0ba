import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import { chooseTitle, wordsIn } from "./labels/words.ts";
import { drawAdjustments } from "./sections/adjustments.ts";
import { drawDetails } from "./sections/details.ts";
import { drawContinuation, drawFooters, drawHeader } from "./sections/header.ts";
import { drawLines } from "./sections/lines.ts";
import { drawNotes } from "./sections/notes.ts";
import { drawParties } from "./sections/parties.ts";
import { drawPayment } from "./sections/payment.ts";
import { joinParts } from "./sections/scene.ts";
import { drawTotals } from "./sections/totals.ts";
import type { DrawingSurface } from "./sheet.ts";

interface InvoicePageOptions {
  readonly language: Language;
  /** Status shown next to the title, already in the language of the page. */
  readonly statusLabel?: string | undefined;
}

/** Draws the whole invoice on a sheet whose first page is empty, over as many pages as needed. */
export async function drawInvoice(
  sheet: DrawingSurface,
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

/** Returns the kind and number of the document, such as "Facture RI-100000". */
export function titleIn(language: Language, invoice: InvoiceDocument): string {
  const words = wordsIn(language, invoice.currency);
  return joinParts([chooseTitle(invoice.kind, invoice.typeCode, words), invoice.number], " ") ?? "";
}
