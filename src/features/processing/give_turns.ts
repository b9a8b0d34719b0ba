import type { Deps } from "#src/deps.ts";
import { takeTurn } from "#src/features/runs/mod.ts";
import { processTask } from "./tasks.ts";

/** Turns that wait for a worker. The fewer there are, the sooner a new run has its first. */
const WAITING = 3;

/**
 * Enqueues work until enough tasks wait for a worker: a few invoices of each run, run after run. Called when a turn
 * begins, so that the next one is there when it ends.
 */
export async function giveTurns({ db, tasks }: Pick<Deps, "db" | "tasks">): Promise<void> {
  await db.transaction(async (tx) => {
    for (let count = await tasks.waiting(tx, processTask); count < WAITING; count++) {
      const turn = await takeTurn(tx);
      if (!turn) return;
      await tasks.enqueue(tx, processTask, turn);
    }
  });
}
