export { pollPa } from "./poll_pa.ts";
export { SANDBOX_URL } from "./pa_settings.ts";
export { startSubmission } from "./start_submission.ts";
export { submissionDied, submitInvoice } from "./submit_invoice.ts";
export { pollTask, submitTask } from "./tasks.ts";
