export { amountsReason, collectedAmounts } from "./amounts.ts";
export { buildCdar } from "./build.ts";
export type { CdarDatum, CdarDraft, CdarEvent, CdarParty, CdarReason } from "./model.ts";
export { isCdar, parseCdar } from "./parse.ts";
