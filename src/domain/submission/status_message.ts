/**
 * State of a status that we report to the PA. It has the states of a submission and three more.
 * - `sent`: the PA has the message and has not validated it yet.
 * - `taken`: the PA accepted it; the status counts.
 * - `refused`: the PA rejected it; the status does not count.
 */
export const STATUS_MESSAGE_STATES = [
  "intent",
  "sending",
  "ambiguous",
  "probing",
  "parked",
  "sent",
  "taken",
  "refused",
] as const;
export type StatusMessageState = (typeof STATUS_MESSAGE_STATES)[number];
