export { exportScreen } from "./export_screen.ts";
export { codeOfScreen, findScreen, screenNamed } from "./find_screen.ts";
export { recordGuard } from "./guard_write.ts";
export { endLocksNow as endLocks } from "./end_locks.ts";
