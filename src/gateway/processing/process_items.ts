import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { bytesOfItems, encodingOfFile, type Produced } from "#src/gateway/documents/mod.ts";
import {
  findRun,
  type ItemBatch,
  pendingItems,
  readEnvelope,
  type RunRow,
  tellProgress,
  whenAborted,
} from "#src/gateway/runs/mod.ts";
import { dateOriginals } from "./date_originals.ts";
import { failedItem } from "./failed_item.ts";
import { enqueueBatches } from "./enqueue_batches.ts";
import { inARow, sideBySide } from "./in_a_row.ts";
import {
  type ItemContext,
  produceItem,
  type ValidatedItem,
  validateItem,
} from "./validate_item.ts";
import { previewItems } from "./preview_items.ts";
import { recordItems } from "./record_items.ts";
import { isOutcome, type ItemOutcome, settleItem } from "./settle_item.ts";
import { processTask } from "./tasks.ts";
import { settleOutcome } from "./settle_outcome.ts";
import { readTemplate } from "./read_template.ts";

/**
 * Processes the pending invoices of a range independently. A fault of an invoice is its outcome and affects no other. A
 * fault of the product (database, disk) is thrown, and the rest of the range is retried.
 */
export async function processItems(
  deps: Deps,
  range: ItemBatch,
  signal: AbortSignal,
): Promise<void> {
  await enqueueBatches(deps);
  const run = await findRun(deps.db, range.runId);
  if (!run) return;
  const aborted = whenAborted(deps, run.id);
  try {
    const ending = AbortSignal.any([signal, aborted.signal]);
    const left = await processSome(deps, { run, range, signal: ending });
    if (left !== undefined) {
      await deps.tasks.enqueue(deps.db, processTask, { ...range, from: left });
    }
  } catch (error) {
    if (!aborted.signal.aborted || signal.aborted) throw error;
  } finally {
    aborted.close();
  }
  deps.crash("process.beforeEnd");
  await tellProgress(deps, range.runId);
}

/** Resolves to the first item that was not worked on because the turn was over. */
async function processSome(
  deps: Deps,
  { run, range, signal }: { run: RunRow; range: ItemBatch; signal: AbortSignal },
): Promise<number | undefined> {
  const template = await readTemplate(deps, run);
  const envelope = await readEnvelope(deps.db, run.id);
  const encoding = await encodingOfFile(deps, run);
  const pending = await pendingItems(deps.db, range);
  const bytes = await bytesOfItems(deps, run, pending);
  const places = pending.map((item): ItemContext => {
    return { run, item, envelope, encoding, template, signal, bytes: bytes.get(item.index) };
  });
  const made = await sideBySide(places, (it) => orOutcome(deps, it, () => madeOf(deps, it)));
  const produced = made.flatMap((it) =>
    it.status === "fulfilled" && "produced" in it.value ? [it.value.produced] : []
  );
  const tried = await inARow(made, async (it, at) => {
    const place = places[at] as ItemContext;
    if (it.status === "rejected") throw it.reason;
    if ("outcome" in it.value) return it.value;
    const own = it.value.produced;
    return await orOutcome(deps, place, async () => {
      return await validateItem(deps, place, await dateOriginals(deps, place, { own, produced }));
    });
  });
  signal.throwIfAborted();
  const items = pending.slice(0, tried.length);
  const results = tried.map((it) => it.status === "fulfilled" ? it.value : undefined);
  const earlier = new Map<string, ValidatedItem>();
  for (
    const batch of withUniqueKeys(results.flatMap((it) => it && "judged" in it ? [it.judged] : []))
  ) {
    if (run.preview) await previewItems(deps, { run, template, earlier }, batch);
    else await recordItems(deps, { run, template }, batch);
  }
  for (const [at, item] of items.entries()) {
    const result = results[at];
    if (result && "outcome" in result) {
      await settleOutcome(deps, { run, item, template }, result.outcome);
    }
  }
  const fault = tried.find((it) => it.status === "rejected");
  if (fault) throw fault.reason;
  return pending[tried.length]?.index;
}

async function madeOf(deps: Deps, context: ItemContext): Promise<{ produced: Produced }> {
  return { produced: await produceItem(deps, context) };
}

/** Turns a refusal of an invoice into its outcome. */
async function orOutcome<Result>(
  deps: Deps,
  context: ItemContext,
  work: () => Promise<Result>,
): Promise<Result | { outcome: ItemOutcome }> {
  try {
    return await work();
  } catch (error) {
    if (!isOutcome(error)) throw error;
    return { outcome: await failedItem(deps, context, error) };
  }
}

/** Splits items so that a repeated invoice is recorded, or refused, twice but never in one statement. */
function withUniqueKeys(items: readonly ValidatedItem[]): ValidatedItem[][] {
  const batches: { keys: Set<string>; items: ValidatedItem[] }[] = [];
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
  { runId, from, to }: ItemBatch,
  reason: Sentence,
): Promise<void> {
  const run = await findRun(deps.db, runId);
  if (!run) return;
  for (const item of await pendingItems(deps.db, { runId, from, to })) {
    await settleItem(deps, { run, item }, { state: "failed", message: reason });
  }
}
