export { endRunIfDone, failRun } from "./settle.ts";
export {
  appendLogs,
  countItems,
  findRun,
  insertItems,
  insertRun,
  type LogEntry,
  moveItem,
  pendingItems,
  type RunItemRow,
  type RunRow,
  updateRun,
} from "./store.ts";
export { awaitRun, isEnded, showRun } from "./views.ts";
