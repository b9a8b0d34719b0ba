import type { Db } from "#src/ports/db.ts";
import { itemsFrom, lockBatches, markServed, nextRun } from "./batch_store.ts";

/** Limits of a worker's batch, small enough that other runs wait only briefly. */
const ITEMS = 10;
const BYTES = 1024 * 1024;

/** Items of a run that are worked on together, the first and the last included. */
export interface ItemBatch {
  readonly runId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Takes the next batch of invoices, at least one; returns undefined when all were taken. Users alternate, and so do the
 * runs of a user. Other workers wait until the transaction ends.
 */
export async function takeBatch(tx: Db): Promise<ItemBatch | undefined> {
  await lockBatches(tx);
  const run = await nextRun(tx);
  if (!run) return undefined;
  const items = await itemsFrom(tx, run.id, { from: run.nextItem, limit: ITEMS });
  let bytes = 0;
  const taken = items.filter((it, at) => (bytes += it.bytes) <= BYTES || at === 0);
  const to = taken.at(-1)?.index ?? run.nextItem;
  await markServed(tx, run.id, to + 1);
  return { runId: run.id, from: run.nextItem, to };
}
