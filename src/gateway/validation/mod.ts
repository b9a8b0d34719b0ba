export { type OpenedFile, openInvoiceFile } from "./judging/open_file.ts";
export { createUnreadable } from "./judging/examine.ts";
export type { ReportNotice } from "./reports/notice.ts";
export {
  type DocumentContent,
  parseContent,
  readContent,
  type ReadJob,
  readValidatedInvoice,
} from "./judging/read_content.ts";
export { type PageJob, reportPage, writePage } from "./reports/write_page.ts";
export { toSvrl } from "./reports/svrl.ts";
export { type ExamineJob, examineJob, validateDocument } from "./judging/validate_document.ts";
export type { ValidateOptions, Validation } from "./judging/validation.ts";
export { toWire } from "./reports/wire.ts";
export {
  type FileBatch,
  type FileOutcome,
  outcomeReader,
  validateBatch,
} from "./reports/file_batch.ts";
export { verdictLines } from "./reports/verdict_lines.ts";
