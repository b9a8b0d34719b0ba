export { compareInvoices, type Difference } from "./differences.ts";
export { findFlowProfile } from "./flow_profile.ts";
export { readSiren, readSiret } from "./identifiers.ts";
export type * from "./model.ts";
export { readInvoice } from "./read_invoice.ts";
export { isCounted, toLineRows, toVatRows, type VatRow } from "./rows.ts";
export { summarizeInvoice } from "./summary.ts";
export { TERM_PATHS } from "./term_paths.ts";
