export { type FlowProfile, flowProfileOf } from "./flow_profile.ts";
export { sirenOf, siretOf } from "./identifiers.ts";
export type * from "./model.ts";
export { readInvoice } from "./read_invoice.ts";
export { type InvoiceLineRow, linesOf, vatOf, type VatRow } from "./rows.ts";
export { type InvoiceSummary, summaryOf } from "./summary.ts";
