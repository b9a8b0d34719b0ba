export { endRunIfDone, failRun } from "./settle.ts";
export {
  appendItemLogs,
  submitItems,
  appendLogs,
  countItems,
  findRun,
  insertItems,
  insertRun,
  type LogEntry,
  moveItem,
  moveItems,
  pendingItems,
  type RunItemRow,
  type RunRow,
  updateRun,
} from "./store.ts";
export { awaitRun, isEnded, showRun } from "./views.ts";
