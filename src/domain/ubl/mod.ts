export { flowProfileOf } from "./flow_profile.ts";
export { sirenOf, siretOf } from "./identifiers.ts";
export type * from "./model.ts";
export { readInvoice } from "./read_invoice.ts";
export { linesOf, vatOf, type VatRow } from "./rows.ts";
export { type InvoiceSummary, summaryOf } from "./summary.ts";
