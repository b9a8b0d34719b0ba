export { type OpenedFile, openInvoiceFile } from "./judging/open_file.ts";
export { refused } from "./judging/examine.ts";
export type { ReportNotice } from "./reports/notice.ts";
export {
  contentOf,
  type DocumentContent,
  invoiceJudged,
  readContent,
  type ReadJob,
} from "./judging/read_content.ts";
export { type PageJob, reportPage, writePage } from "./reports/write_page.ts";
export { toSvrl } from "./reports/svrl.ts";
export { type ExamineJob, examineJob, validateDocument } from "./judging/validate_document.ts";
export type { ValidateOptions, Validation } from "./judging/validation.ts";
export { wireOf } from "./reports/wire.ts";
