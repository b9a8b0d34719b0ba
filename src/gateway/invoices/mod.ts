export {
  recordStatus,
  recordStatuses,
  setStatusByHand,
  type StatusChange,
  type StatusEvent,
} from "./change_status.ts";
export { IS_UNANSWERED } from "./answer_views.ts";
export { IS_SALE_WITH_POINT_ONLY, IS_STATUS_OPEN, waitsForPerson } from "./attention_views.ts";
export { bytesOfXml, type StoredXml } from "./document_bytes.ts";
export { IS_COUNTED_SALE, IS_OPEN, OPEN_AMOUNT, SIGNED_TOTAL } from "./figure_views.ts";
export { raiseAttention } from "./handle_attention.ts";
export { hasRole } from "./role_views.ts";
export { matching } from "./filter_views.ts";
export { readableViewIn } from "./detail_views.ts";
export {
  countByStatus,
  detailView,
  listInvoiceKeys,
  listInvoices,
  readSummaries,
} from "./list_views.ts";
export {
  findingsOfInvoice,
  historyOfInvoice,
  nameStatus,
  paymentsIn,
  selectInvoiceKey,
  vatOfInvoice,
} from "./views.ts";
export { findIssueDates } from "./issue_dates_store.ts";
export { findDuplicates } from "./reason_views.ts";
export {
  checkRecording,
  type InvoiceRecord,
  type NotRecorded,
  type Recorded,
  recordInvoice,
  recordInvoices,
  treatmentColumns,
} from "./record_invoice.ts";
export {
  backdateInvoices,
  deleteSamples,
  hasRealInvoice,
  isRejectedPiece,
  lockSamples,
  removeOrphanFindings,
  sentDigests,
} from "./recording_store.ts";
export {
  attentionColumn,
  businessUnits,
  findByNumber,
  findErpPiece,
  findFacturX,
  findFatal,
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
  type PaFiling,
  readEvents,
  recordFilings,
  replaceFinding,
  updateInvoice,
  updateInvoices,
} from "./store.ts";
