export { renderPdf, storedXml } from "./render_invoice.ts";
