export { pollPa, type PollScope } from "./poll_pa.ts";
export { submissionDied } from "./end_submission.ts";
export { newAccepting } from "./settle_together.ts";
export { newRetryBudget } from "./retry_budget.ts";
export { startSubmission, startSubmissions, stopSubmissions } from "./start_submission.ts";
export { submitInvoice } from "./submit_invoice.ts";
export { sendStatus, statusDied } from "./status_to_pa_send.ts";
export { pollTask, statusTask, submitTask } from "./tasks.ts";
export { registerWebhook } from "./webhooks.ts";
