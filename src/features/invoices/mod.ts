export {
  announceStatus,
  recordStatus,
  recordStatuses,
  setStatusByHand,
  type StatusChange,
  type StatusEvent,
} from "./change_status.ts";
export { type Recorded, type Recording, recordInvoice, recordInvoices } from "./record_invoice.ts";
export {
  findByNumber,
  findDocument,
  findInvoice,
  hasFatalFinding,
  insertFindings,
  type InvoiceRow,
  lockInvoice,
  lockInvoiceById,
  lockInvoicesById,
  updateInvoice,
  updateInvoices,
} from "./store.ts";
