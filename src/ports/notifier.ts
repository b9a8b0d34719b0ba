import type { StatusNotice } from "#src/domain/notification/mod.ts";
import type { Db } from "./db.ts";

/** Receiver of status changes. */
export interface Notifier {
  /** Makes the notifications of these changes due, in the transaction that records the changes. */
  statusesChanged(tx: Db, changes: readonly StatusNotice[]): Promise<void>;
}
