/** SINGLE one invoice, BURST many, UBL no transform, BOTH as BURST plus a PDF each, UBL_VALIDATE checks and stores nothing. */
export const RUN_MODES = ["SINGLE", "BURST", "UBL", "BOTH", "UBL_VALIDATE"] as const;
export type RunMode = (typeof RUN_MODES)[number];

export const RUN_STATES = ["splitting", "processing", "finished", "failed", "aborted"] as const;
export type RunState = (typeof RUN_STATES)[number];

/**
 * State of an item.
 * - `pending`: not processed yet.
 * - `recorded`: stored, first attempt outstanding.
 * - `submitted`: the PA has it.
 * - `retrying`: the PA could not be reached; attempts go on until `submitted` or `send_failed`.
 * - `blocked`: the PA may have it and cannot tell; a person decides.
 * - `send_failed`: the PA refused it (9904).
 * - `undecided`: recorded; a user must choose its treatment before it is sent.
 * - `rejected`: a FATAL finding (9907), also of a document that could not be transformed.
 * - `stored`: recorded; its template does not send it.
 * - `validated`: only validated.
 * - `unchanged`: recorded already with the same content; there is nothing to do.
 * - `conflict`: recorded already with other content and not replaced; a person must compare both.
 * - `failed`: could not be processed, and is not recorded by this run.
 * - `aborted`: the run ended before it was processed.
 * - `new`, `replaced`: the result that a preview predicts.
 */
export const ITEM_STATES = [
  "pending",
  "recorded",
  "submitted",
  "retrying",
  "blocked",
  "send_failed",
  "undecided",
  "rejected",
  "stored",
  "validated",
  "unchanged",
  "new",
  "replaced",
  "conflict",
  "failed",
  "aborted",
] as const;
export type ItemState = (typeof ITEM_STATES)[number];

const GOOD: readonly ItemState[] = [
  "submitted",
  "retrying",
  "stored",
  "validated",
  "unchanged",
  "new",
  "replaced",
];

export function isGood(state: ItemState): boolean {
  return GOOD.includes(state);
}

export function isOpen(state: ItemState): boolean {
  return state === "pending" || state === "recorded";
}

/** Returns true for an item that failed or waits for a person. An item that a stopped run never started did not fail. */
export function isFailure(state: ItemState): boolean {
  return !isGood(state) && !isOpen(state) && state !== "aborted";
}

/** Returns the states an item can have before this one: a submission reports only on recorded items. */
export function statesBefore(state: ItemState): readonly ItemState[] {
  if (state === "retrying") return ["recorded", "blocked"];
  if (state === "blocked") return ["recorded", "retrying"];
  if (state === "submitted" || state === "send_failed") return ["recorded", "retrying", "blocked"];
  return ["pending"];
}
