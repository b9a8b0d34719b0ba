import type { Db } from "#src/ports/db.ts";
import { itemsFrom, lockTurns, markServed, nextRun } from "./turn_store.ts";

/** What a worker is given at once: little enough that the others' turn comes soon. */
const ITEMS = 10;
const BYTES = 1024 * 1024;

/** Items of a run that are worked on together, the first and the last included. */
export interface Turn {
  readonly runId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * The invoices that are to be worked on next, at least one; undefined when all were given out. People take turns, and
 * their runs do. Whoever asks holds the turns until the transaction ends.
 */
export async function takeTurn(tx: Db): Promise<Turn | undefined> {
  await lockTurns(tx);
  const run = await nextRun(tx);
  if (!run) return undefined;
  const items = await itemsFrom(tx, run.id, { from: run.nextItem, limit: ITEMS });
  let bytes = 0;
  const taken = items.filter((it, at) => (bytes += it.bytes) <= BYTES || at === 0);
  const to = taken.at(-1)?.index ?? run.nextItem;
  await markServed(tx, run.id, to + 1);
  return { runId: run.id, from: run.nextItem, to };
}
