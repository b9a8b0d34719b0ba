import { writeCii } from "#src/domain/cii/mod.ts";
import type { InvoicePdf } from "#src/ports/pdf.ts";
import { toFacturX } from "./factur_x.ts";
import { type Faces, loadFaces } from "./fonts.ts";
import { descriptionOf, OBJECTS_PER_TICK, renderDocument } from "./render.ts";

/** Renders with pdf-lib; the fonts are read and parsed at the first invoice and kept. */
export function createInvoicePdf(): InvoicePdf {
  let loading: Promise<Faces> | undefined;
  const faces = () => loading ??= loadFaces();
  return {
    async render(invoice, options) {
      const document = await renderDocument(invoice, { ...options, faces: await faces() });
      return await document.save({ objectsPerTick: OBJECTS_PER_TICK });
    },
    async facturX(invoice, options) {
      const document = await renderDocument(invoice, { ...options, faces: await faces() });
      return await toFacturX(document, writeCii(invoice), descriptionOf(invoice, options));
    },
  };
}
