export { announceStatus, recordStatus, setStatusByHand, type StatusEvent } from "./change_status.ts";
export { type Recorded, recordInvoice, type Recording } from "./record_invoice.ts";
export {
  findByNumber,
  findDocument,
  findInvoice,
  insertFindings,
  type InvoiceRow,
  lockInvoice,
  lockInvoiceById,
  updateInvoice,
} from "./store.ts";
