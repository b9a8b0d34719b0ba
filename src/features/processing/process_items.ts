import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { endRunIfDone, findRun, pendingItems } from "#src/features/runs/mod.ts";
import type { Finding } from "#src/domain/validation/finding.ts";
import { useTemplate } from "#src/features/templates/mod.ts";
import { transformFailure } from "#src/ports/xslt.ts";
import { processItem } from "./process_item.ts";
import { settleItem } from "./settle_item.ts";

export interface ItemRange {
  readonly runId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Works on the pending invoices of a range, each for itself: what is wrong with one is its outcome and touches no
 * other. What is wrong with the product (database, disk) is thrown, and the rest of the range is tried again.
 */
export async function processItems(deps: Deps, range: ItemRange, signal: AbortSignal): Promise<void> {
  const run = await findRun(deps.db, range.runId);
  if (!run) return;
  const template = run.template ? await useTemplate(deps, run.template) : undefined;
  for (const item of await pendingItems(deps.db, range)) {
    signal.throwIfAborted();
    try {
      await processItem(deps, { run, item, template, signal });
    } catch (error) {
      if (!isOutcome(error)) throw error;
      await settleItem(deps, { run, item }, { state: "failed", message: error.message, findings: findingsOf(error, item.line) });
    }
  }
  await endRunIfDone(deps, range.runId);
}

/** What the stylesheet could not do, as a finding beside those of the rules. */
function findingsOf(error: AppError, line: number): Finding[] {
  const failure = transformFailure(error);
  return [{
    level: "FATAL",
    source: failure ? "transform" : "processing",
    rule: failure ? `TRF-${failure.kind.toUpperCase()}` : "PRC-REFUSED",
    message: failure?.messageFr ?? error.message,
    messageEn: error.message,
    location: "",
    line,
    column: 0,
    ...failure?.value !== undefined && { value: failure.value },
    ...failure?.element !== undefined && { sourceField: failure.element },
  }];
}

/** The range could not be worked on, as often as it was tried: its pending invoices have failed, the run can end. */
export async function itemsDied(deps: Deps, { runId, from, to }: ItemRange, reason: string): Promise<void> {
  const run = await findRun(deps.db, runId);
  if (!run) return;
  for (const item of await pendingItems(deps.db, { runId, from, to })) {
    await settleItem(deps, { run, item }, { state: "failed", message: reason });
  }
  await endRunIfDone(deps, runId);
}

/** A refusal is about the invoice; a dependency that is down is not. */
function isOutcome(error: unknown): error is AppError {
  return error instanceof AppError && error.code !== "unavailable";
}
