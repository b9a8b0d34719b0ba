/** SINGLE one invoice, BURST many, UBL no transform, BOTH as BURST plus a PDF each, UBL_VALIDATE checks and stores nothing. */
export const RUN_MODES = ["SINGLE", "BURST", "UBL", "BOTH", "UBL_VALIDATE"] as const;
export type RunMode = (typeof RUN_MODES)[number];

export const RUN_STATES = ["splitting", "processing", "finished", "failed", "aborted"] as const;
export type RunState = (typeof RUN_STATES)[number];

/**
 * `pending` not worked on yet · `recorded` stored, first sending attempt outstanding · `submitted` the PA has it ·
 * `retrying` the PA could not be reached, sending goes on until it is `submitted` or `send_failed` · `send_failed` the PA
 * refused (9904) · `rejected` a FATAL finding (9907) · `stored` recorded and, by its template, not sent · `validated` checked only ·
 * `conflict` exists already and `replaceMode` is false · `failed` could not be processed · `aborted` the run was ended before it was worked on
 */
export const ITEM_STATES = [
  "pending",
  "recorded",
  "submitted",
  "retrying",
  "send_failed",
  "rejected",
  "stored",
  "validated",
  "conflict",
  "failed",
  "aborted",
] as const;
export type ItemState = (typeof ITEM_STATES)[number];

const GOOD: readonly ItemState[] = ["submitted", "retrying", "stored", "validated"];

export function isGood(state: ItemState): boolean {
  return GOOD.includes(state);
}

export function isOpen(state: ItemState): boolean {
  return state === "pending" || state === "recorded";
}

/** The states from which an item may come into this one: a sending tells only of what is recorded. */
export function statesBefore(state: ItemState): readonly ItemState[] {
  if (state === "retrying") return ["recorded"];
  if (state === "submitted" || state === "send_failed") return ["recorded", "retrying"];
  return ["pending"];
}
