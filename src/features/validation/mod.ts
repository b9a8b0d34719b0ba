export { refused } from "./examine.ts";
export type { Notice } from "./renderings/notice.ts";
export { toHtmlReport } from "./renderings/html_report.ts";
export { toSvrl } from "./renderings/svrl.ts";
export { type ExamineJob, examineJob, validateDocument } from "./validate_document.ts";
export type { AppliedOverride, UsedSet, ValidateOptions, Validation } from "./validation.ts";
export { wireOf } from "./wire.ts";
