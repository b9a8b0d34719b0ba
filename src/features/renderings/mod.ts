export { type RenderedFile, renderPdf, storedXml } from "./render_invoice.ts";
