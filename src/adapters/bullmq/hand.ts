import { delay } from "#src/kernel/delay.ts";
import { gathered } from "#src/kernel/gather.ts";
import { guarded, type Parts } from "./parts.ts";
import { takeBackDeaths } from "./task_deaths.ts";
import * as rows from "./task_rows.ts";

/** Tasks in the hand of a process, by id. */
export type Held = Map<number, { task: rows.ClaimedTask; lost: AbortController }>;

/** What tasks in hand ask of the table, for several in one statement. */
export interface Hand {
  readonly claim: (wanted: { id: number; alone: boolean }) => Promise<rows.ClaimedTask | undefined>;
  readonly finish: (task: rows.ClaimedTask) => Promise<void>;
}

export function newHand({ database: { db }, holder, options: { leaseMs } }: Parts): Hand {
  return {
    claim: gathered((wanted) => rows.claim(db, wanted, { leaseMs, holder })),
    finish: gathered(async (done: readonly rows.ClaimedTask[]) => {
      await rows.finish(db, done);
      return [];
    }),
  };
}

/** Extends the leases of the tasks in hand; one that was lost aborts, for its work belongs to another worker now. */
export async function keepLeases(
  parts: Parts,
  held: Held,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await delay(parts.options.leaseMs / 3, signal);
    const current = [...held.values()];
    if (!current.length) continue;
    await guarded(parts, "queue.heartbeat.failed", async () => {
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
