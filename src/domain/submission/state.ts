/**
 * `intent` to be sent, nothing left the house · `sending` a request is or was under way · `ambiguous` the PA may have
 * it · `probing` asking the PA by our tracking id · `parked` the PA can say neither, a person decides ·
 * `accepted` the PA has it · `rejected` the PA refused it · `superseded` replaced by a later generation.
 */
export const SUBMISSION_STATES = [
  "intent",
  "sending",
  "ambiguous",
  "probing",
  "parked",
  "accepted",
  "rejected",
  "superseded",
] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

const OPEN: readonly SubmissionState[] = ["intent", "sending", "ambiguous", "probing"];

export function isOpenSubmission(state: SubmissionState): boolean {
  return OPEN.includes(state);
}
