export { drawInvoice, titleIn } from "./draw_invoice.ts";
export type { Box, Placement, Room, Rule, Sheet, TextLine, WriteOptions } from "./sheet.ts";
export { type Color, type FaceName, HAIRLINE, PAGE, type Style } from "./theme.ts";
