import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { AppError } from "#src/kernel/errors.ts";
import { endRunIfDone, findRun, pendingItems } from "#src/features/runs/mod.ts";
import { useTemplate } from "#src/features/templates/mod.ts";
import { failedItem } from "./failed_item.ts";
import { type ItemContext, type Judged, judgeItem } from "./judge_item.ts";
import { recordItems } from "./record_items.ts";
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
export async function processItems(
  deps: Deps,
  range: ItemRange,
  signal: AbortSignal,
): Promise<void> {
  const run = await findRun(deps.db, range.runId);
  if (!run) return;
  const template = run.template ? await useTemplate(deps, run.template) : undefined;
  const items = await pendingItems(deps.db, range);
  const results = await Promise.all(
    items.map((item) => resultOf(deps, { run, item, template, signal })),
  );
  signal.throwIfAborted();
  for (const batch of withUniqueKeys(results.flatMap((it) => "judged" in it ? [it.judged] : []))) {
    await recordItems(deps, { run, template }, batch);
  }
  for (const [at, item] of items.entries()) {
    const result = results[at];
    if (result && "outcome" in result) await settleItem(deps, { run, item }, result.outcome);
  }
  deps.crash("process.beforeEnd");
  await endRunIfDone(deps, range.runId, { progress: true });
}

type Result = Awaited<ReturnType<typeof judgeItem>>;

async function resultOf(deps: Deps, context: ItemContext): Promise<Result> {
  try {
    return await judgeItem(deps, context);
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return { outcome: await failedItem(deps, context, error) };
  }
}

/** An invoice that stands twice in a file is recorded, or refused, twice: never in one statement. */
function withUniqueKeys(items: readonly Judged[]): Judged[][] {
  const batches: { keys: Set<string>; items: Judged[] }[] = [];
  for (const item of items) {
    const key = formatInvoiceKey(item.key);
    let batch = batches.find((it) => !it.keys.has(key));
    if (!batch) batches.push(batch = { keys: new Set(), items: [] });
    batch.keys.add(key);
    batch.items.push(item);
  }
  return batches.map((it) => it.items);
}

/** The range could not be worked on, as often as it was tried: its pending invoices have failed, the run can end. */
export async function itemsDied(
  deps: Deps,
  { runId, from, to }: ItemRange,
  reason: string,
): Promise<void> {
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
