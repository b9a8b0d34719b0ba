/**
 * State of a submission.
 * - `intent`: to be sent; no request was made yet.
 * - `sending`: a request is or was in progress.
 * - `ambiguous`: the PA may have it.
 * - `probing`: the PA is being queried for it.
 * - `parked`: the PA cannot say; a user decides.
 * - `accepted`: the PA has it.
 * - `rejected`: the PA refused it, or it could not be sent.
 * - `duplicate`: the PA held the same invoice from an earlier submission, which goes on.
 * - `superseded`: a later attempt replaces it.
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

/** States that a worker continues; an invoice has at most one open submission. */
export const OPEN_SUBMISSION_STATES: readonly SubmissionState[] = [
  "intent",
  "sending",
  "ambiguous",
  "probing",
];

export function isOpenSubmission(state: SubmissionState): boolean {
  return OPEN_SUBMISSION_STATES.includes(state);
}
