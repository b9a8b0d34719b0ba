export { drawInvoice, titleIn } from "./draw_invoice.ts";
export type { Box, DrawingSurface, LineOptions, RuleLine, TagRole, TextLine } from "./sheet.ts";
export { type FaceName, HAIRLINE, PAGE, type Style } from "./theme.ts";
