export { drawInvoice, titleIn } from "./draw_invoice.ts";
export type { Box, Rule, Sheet, TextLine, WriteOptions } from "./sheet.ts";
export { type FaceName, HAIRLINE, PAGE, type Style } from "./theme.ts";
