export { amountsReason, collectedAmounts, paymentAmounts } from "./amounts.ts";
export { buildCdar } from "./build.ts";
export type { CdarDraft, CdarEvent, CdarParty, CdarReason } from "./model.ts";
export { isCdar, parseCdar } from "./parse.ts";
