export { abortRun, whenAborted } from "./abort_run.ts";
export {
  failRun,
  type SettleItems,
  type Settlement,
  settlingRuns,
  tellProgress,
} from "./settle.ts";
export {
  appendLogs,
  countItems,
  discardItems,
  envelopeOf,
  findRun,
  findRunOf,
  insertItems,
  insertRun,
  keepEnvelope,
  lockRun,
  type LogEntry,
  pendingItems,
  type RunItemRow,
  type RunRow,
  shownLogs,
  updateRun,
} from "./store.ts";
export { takeTurn, type Turn } from "./take_turn.ts";
export { awaitRun, showRun } from "./views.ts";
