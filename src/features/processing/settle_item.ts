import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { isGood, type ItemState } from "#src/domain/processing/run.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { insertFindings } from "#src/features/invoices/mod.ts";
import {
  type LogEntry,
  type RunItemRow,
  type RunRow,
  settlingRuns,
} from "#src/features/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { AppError } from "#src/kernel/errors.ts";
import { logOf } from "./run_log.ts";

export interface ItemOutcome {
  readonly state: ItemState;
  /** As much of it as is known. */
  readonly key?: Partial<InvoiceKey> | undefined;
  readonly message: Sentence;
  readonly logs?: readonly LogEntry[];
  /** Findings of a document that is not recorded as an invoice. */
  readonly findings?: readonly Finding[];
  /** What the ERP wrote, where it could not be transformed. */
  readonly erp?: string | undefined;
}

/** A refusal is about the invoice; a dependency that is down is not. */
export function isOutcome(error: unknown): error is AppError {
  return error instanceof AppError && error.code !== "unavailable";
}

/**
 * Ends an item that did not become an invoice; once, whatever is tried again. `keep` keeps what was found of it in the same
 * transaction; by itself it is the findings.
 */
export async function settleItem(
  deps: Pick<Deps, "db" | "live">,
  { run, item }: { run: RunRow; item: RunItemRow },
  { state, key, message, logs = [], findings = [] }: ItemOutcome,
  keep: (tx: Db) => Promise<unknown> = (tx) => insertFindings(tx, { findings, key, runId: run.id }),
): Promise<void> {
  const { index, line } = item;
  const { doc, dct, kco } = key ?? {};
  const name = doc !== undefined && dct !== undefined && kco !== undefined
    ? say`${formatInvoiceKey({ doc, dct, kco })}`
    : say`invoice ${index + 1} at line ${line}`;
  const sentence = say`${name}: ${message}`;
  const last = logOf(isGood(state) ? "INFO" : "ERROR", state, sentence);
  await settlingRuns(deps, async (tx, settle) => {
    const settlement = { runId: run.id, index, state, key, message, logs: [...logs, last] };
    if (await settle([settlement])) await keep(tx);
  });
}
