import { delay } from "#src/kernel/delay.ts";
import { batchWork } from "#src/kernel/gather.ts";
import { type Parts, runGuarded } from "./parts.ts";
import { takeBackDeaths } from "./task_deaths.ts";
import * as rows from "./task_rows.ts";

/** Tasks this process works on, by id. */
export type Held = Map<number, { task: rows.ClaimedTask; lost: AbortController }>;

/** Claims and ends of tasks; simultaneous ones share a statement. */
export interface BatchedRows {
  readonly claim: (wanted: { id: number; alone: boolean }) => Promise<rows.ClaimedTask | undefined>;
  readonly finish: (task: rows.ClaimedTask) => Promise<void>;
}

export function batchedRows(
  { database: { db }, holder, options: { leaseMs } }: Parts,
): BatchedRows {
  return {
    claim: batchWork((wanted) => rows.claim(db, wanted, { leaseMs, holder })),
    finish: batchWork(async (done: readonly rows.ClaimedTask[]) => {
      await rows.finish(db, done);
      return [];
    }),
  };
}

/** Extends the leases of held tasks; one whose lease was lost is aborted, for another worker has it now. */
export async function keepLeases(
  parts: Parts,
  held: Held,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await delay(parts.options.leaseMs / 3, signal);
    const current = [...held.values()];
    if (!current.length) continue;
    await runGuarded(parts, "queue.heartbeat.failed", async () => {
      const kept = await rows.heartbeat(
        parts.database.db,
        current.map((it) => it.task),
        parts.options.leaseMs,
      );
      const gone = current.filter(({ task: { id } }) => !kept.has(id) && held.has(id));
      for (const { lost } of gone) lost.abort(new Error("The lease was lost"));
      const ids = gone.map(({ task }) => task.id);
      if (ids.length) await takeBackDeaths(parts.database.db, ids, parts.holder);
    });
  }
}
