export { type ExamineJob, examineJob, validateDocument } from "./validate_document.ts";
export type { AppliedOverride, ValidateOptions, Validation } from "./validation.ts";
