export { type RenderedFile, renderPdf, storedUbl } from "./render_invoice.ts";
