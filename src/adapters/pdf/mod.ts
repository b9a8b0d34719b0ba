import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { writeCii } from "#src/domain/cii/mod.ts";
import { readDocument } from "#src/domain/document/mod.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import type { InvoicePdf, PdfSource } from "#src/ports/pdf.ts";
import { parseXml } from "#src/xml/mod.ts";
import { toFacturX } from "./factur_x.ts";
import { loadFaces } from "./fonts.ts";
import { describeFile, OBJECTS_PER_TICK, renderDocument } from "./render.ts";

/** Renders with pdf-lib, which child processes alone load; the fonts are read and parsed at the first invoice and kept. */
export function createInvoicePdf(): InvoicePdf {
  const { get: faces } = newSharedValue(loadFaces);
  return {
    async render(source, options) {
      const invoice = invoiceIn(source);
      const document = await renderDocument(invoice, { ...options, faces: await faces() });
      return await document.save({ objectsPerTick: OBJECTS_PER_TICK });
    },
    async facturX(source, options) {
      const invoice = invoiceIn(source);
      const document = await renderDocument(invoice, { ...options, faces: await faces() });
      return await toFacturX(document, writeCii(invoice), describeFile(invoice, options));
    },
  };
}

function invoiceIn(source: PdfSource): InvoiceDocument {
  return "xml" in source ? readDocument(parseXml(source.xml)) : source;
}
