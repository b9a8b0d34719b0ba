export { type LockRow, locksOfScreen } from "./store.ts";
export { acquireLock, endLocks, type LockedRecord, releaseLock, whileHeld } from "./lock_record.ts";
