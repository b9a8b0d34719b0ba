/**
 * `intent` to be sent, nothing left the house · `sending` a request is or was under way · `ambiguous` the PA may have
 * it · `probing` asking the PA for it · `parked` the PA can say neither, a person decides · `accepted` the PA has it ·
 * `rejected` the PA refused it, or it could not be sent · `duplicate` the PA held the same invoice by an earlier
 * sending, which goes on · `superseded` replaced by a later generation.
 */
export const SUBMISSION_STATES = [
  "intent",
  "sending",
  "ambiguous",
  "probing",
  "parked",
  "accepted",
  "rejected",
  "duplicate",
  "superseded",
] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

/** A worker will take it further; at most one of an invoice is open. */
export const OPEN_SUBMISSION_STATES: readonly SubmissionState[] = [
  "intent",
  "sending",
  "ambiguous",
  "probing",
];

export function isOpenSubmission(state: SubmissionState): boolean {
  return OPEN_SUBMISSION_STATES.includes(state);
}
