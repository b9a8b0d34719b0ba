/**
 * States of a status we tell the PA: as of a submission, and then `sent` the PA holds the message and has not
 * judged it · `taken` it has accepted it, the status counts · `refused` it has not, the status does not count.
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
