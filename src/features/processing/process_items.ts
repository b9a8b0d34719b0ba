import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { bytesOfItems, encodingOfFile, type Produced } from "#src/features/documents/mod.ts";
import {
  envelopeOf,
  findRun,
  pendingItems,
  type RunRow,
  tellProgress,
  type Turn,
  whenAborted,
} from "#src/features/runs/mod.ts";
import { failedItem } from "./failed_item.ts";
import { giveTurns } from "./give_turns.ts";
import { inARow, sideBySide } from "./in_a_row.ts";
import { type ItemContext, type Judged, judgeItem, produceItem } from "./judge_item.ts";
import { recordItems } from "./record_items.ts";
import { isOutcome, type ItemOutcome, settleItem } from "./settle_item.ts";
import { processTask } from "./tasks.ts";
import { settleOutcome } from "./settle_outcome.ts";
import { templateOf } from "./template_of.ts";

/**
 * Works on the pending invoices of a range, each for itself: what is wrong with one is its outcome and touches no
 * other. What is wrong with the product (database, disk) is thrown, and the rest of the range is tried again.
 */
export async function processItems(
  deps: Deps,
  range: Turn,
  signal: AbortSignal,
): Promise<void> {
  await giveTurns(deps);
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
  { run, range, signal }: { run: RunRow; range: Turn; signal: AbortSignal },
): Promise<number | undefined> {
  const template = await templateOf(deps, run);
  const envelope = await envelopeOf(deps.db, run.id);
  const encoding = await encodingOfFile(deps, run);
  const pending = await pendingItems(deps.db, range);
  const bytes = await bytesOfItems(deps, run, pending);
  const places = pending.map((item): ItemContext => {
    return { run, item, envelope, encoding, template, signal, bytes: bytes.get(item.index) };
  });
  const made = await sideBySide(places, (it) => orOutcome(deps, it, () => madeOf(deps, it)));
  const tried = await inARow(made, async (it, at) => {
    const place = places[at] as ItemContext;
    if (it.status === "rejected") throw it.reason;
    if ("outcome" in it.value) return it.value;
    const { produced } = it.value;
    return await orOutcome(deps, place, () => judgeItem(deps, place, produced));
  });
  signal.throwIfAborted();
  const items = pending.slice(0, tried.length);
  const results = tried.map((it) => it.status === "fulfilled" ? it.value : undefined);
  for (
    const batch of withUniqueKeys(results.flatMap((it) => it && "judged" in it ? [it.judged] : []))
  ) {
    await recordItems(deps, { run, template }, batch);
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

/** What is refused of an invoice is its outcome. */
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
  { runId, from, to }: Turn,
  reason: Sentence,
): Promise<void> {
  const run = await findRun(deps.db, runId);
  if (!run) return;
  for (const item of await pendingItems(deps.db, { runId, from, to })) {
    await settleItem(deps, { run, item }, { state: "failed", message: reason });
  }
}
