export { endRunIfDone, failRun } from "./settle.ts";
export {
  appendItemLogs,
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
  submitItems,
  updateRun,
} from "./store.ts";
export { awaitRun, isEnded, showRun } from "./views.ts";
