export {
  recordStatus,
  recordStatuses,
  setStatusByHand,
  type StatusChange,
  type StatusEvent,
} from "./change_status.ts";
export { bytesOfXml, type StoredXml } from "./document_bytes.ts";
export { countByStatus, detailView, invoicesOf, listInvoices } from "./list_views.ts";
export { findingsOfInvoice, historyOfInvoice, paymentsIn, vatOfInvoice } from "./views.ts";
export { mergeCounts } from "./counts_store.ts";
export { type Recorded, type Recording, recordInvoice, recordInvoices } from "./record_invoice.ts";
export { removeOrphanFindings } from "./recording_store.ts";
export {
  businessUnits,
  eventsOf,
  findByNumber,
  findErpPiece,
  findFacturX,
  findInvoice,
  findInvoices,
  findInvoiceXml,
  hasFatalFinding,
  insertFindings,
  type InvoiceRow,
  lockInvoice,
  lockInvoiceById,
  lockInvoicesById,
  lockInvoicesByNumber,
  oldestPending,
  replaceFinding,
  updateInvoice,
  updateInvoices,
} from "./store.ts";
