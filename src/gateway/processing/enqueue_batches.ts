import type { Deps } from "#src/deps.ts";
import { takeBatch } from "#src/gateway/runs/mod.ts";
import { processTask } from "./tasks.ts";

/** Turns that wait for a worker. The fewer there are, the sooner a new run has its first. */
const WAITING = 3;

/**
 * Enqueues batches until enough tasks wait for a worker: a few invoices of each run in turn. Called when a batch
 * begins, so that the next one is ready when it ends.
 */
export async function enqueueBatches({ db, tasks }: Pick<Deps, "db" | "tasks">): Promise<void> {
  await db.transaction(async (tx) => {
    for (let count = await tasks.waiting(tx, processTask); count < WAITING; count++) {
      const turn = await takeBatch(tx);
      if (!turn) return;
      await tasks.enqueue(tx, processTask, turn);
    }
  });
}
