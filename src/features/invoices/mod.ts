export {
  recordStatus,
  recordStatuses,
  setStatusByHand,
  type StatusChange,
  type StatusEvent,
  type StatusNeeds,
} from "./change_status.ts";
export { mergeCounts } from "./counts_store.ts";
export { type Recorded, type Recording, recordInvoice, recordInvoices } from "./record_invoice.ts";
export {
  businessUnits,
  eventsOf,
  findByNumber,
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
