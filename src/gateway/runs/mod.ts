export { abortRun, whenAborted } from "./abort_run.ts";
export { RunCounts, RunItem, Sums } from "./schemas.ts";
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
  deleteItems,
  findImportRun,
  findRun,
  insertItems,
  insertRun,
  itemsOfDocs,
  keepEnvelope,
  lockRun,
  pendingItems,
  readEnvelope,
  type RunItemRow,
  type RunLogEntry,
  type RunRow,
  shownLogs,
  updateRun,
} from "./store.ts";
export { type ItemBatch, takeBatch } from "./take_batch.ts";
export { awaitRun, showRun } from "./views.ts";
