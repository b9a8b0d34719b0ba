export { exportScreen } from "./export_screen.ts";
export { codeOfScreen, requireScreen, screenNamed } from "./require_screen.ts";
export { recordGuard } from "./guard_write.ts";
export { endLocksNow as endLocks } from "./end_locks.ts";
