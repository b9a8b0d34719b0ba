import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { isGood, type ItemState } from "#src/domain/processing/run.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { insertFindings } from "#src/features/invoices/mod.ts";
import {
  appendLogs,
  type LogEntry,
  moveItem,
  type RunItemRow,
  type RunRow,
} from "#src/features/runs/mod.ts";
import { logOf } from "./run_log.ts";

export interface ItemOutcome {
  readonly state: ItemState;
  /** As much of it as is known. */
  readonly key?: Partial<InvoiceKey> | undefined;
  readonly message: string;
  readonly logs?: readonly LogEntry[];
  /** Findings of a document that is not recorded as an invoice. */
  readonly findings?: readonly Finding[];
}

/** Ends an item that was not recorded as an invoice; once, whatever is tried again. */
export async function settleItem(
  deps: Pick<Deps, "db">,
  { run, item }: { run: RunRow; item: RunItemRow },
  { state, key, message, logs = [], findings = [] }: ItemOutcome,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const moved = await moveItem(tx, { runId: run.id, index: item.index, from: ["pending"] }, {
      state,
      key,
      message,
    });
    if (!moved) return;
    await insertFindings(tx, { findings, key, runId: run.id });
    const where = `invoice ${item.index + 1} at line ${item.line}`;
    const last = logOf(isGood(state) ? "INFO" : "ERROR", state, `${where}: ${message}`);
    await appendLogs(tx, { runId: run.id, item: item.index }, [...logs, last]);
  });
}
