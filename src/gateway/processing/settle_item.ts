import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { isGood, type ItemState } from "#src/domain/processing/run.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { insertFindings } from "#src/gateway/invoices/mod.ts";
import {
  type RunItemRow,
  type RunLogEntry,
  type RunRow,
  settlingRuns,
} from "#src/gateway/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { AppError } from "#src/kernel/errors.ts";
import { createLogEntry } from "./run_log.ts";

export interface ItemOutcome {
  readonly state: ItemState;
  /** Key, as far as it is known. */
  readonly key?: Partial<InvoiceKey> | undefined;
  readonly message: Sentence;
  readonly logs?: readonly RunLogEntry[];
  /** Findings of a document that is not recorded as an invoice. */
  readonly findings?: readonly Finding[];
  /** ERP document that could not be transformed. */
  readonly erp?: string | undefined;
}

/** A refusal is about the invoice; a dependency that is down is not. */
export function isOutcome(error: unknown): error is AppError {
  return error instanceof AppError && error.code !== "unavailable";
}

/**
 * Ends an item that did not become an invoice; retries have no further effect. `keep` stores its result in the same
 * transaction; by default it stores the findings.
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
  const last = createLogEntry(isGood(state) ? "INFO" : "ERROR", state, sentence);
  await settlingRuns(deps, async (tx, settle) => {
    const settlement = { runId: run.id, index, state, key, message, logs: [...logs, last] };
    if (await settle([settlement])) await keep(tx);
  });
}
