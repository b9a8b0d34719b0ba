import type { Deps } from "#src/deps.ts";
import { lockJobRun } from "./store.ts";
import { runTask } from "./tasks.ts";

type Needs = Pick<Deps, "db" | "tasks">;
interface Due {
  readonly id: string;
  readonly job: string;
  readonly actingAs?: string | null | undefined;
}

/** Has a worker take the run up. */
export async function makeDue({ db, tasks }: Needs, run: Due): Promise<void> {
  const { id } = run;
  await tasks.enqueue(db, runTask, { runId: id }, {
    dedupeKey: `${runTask.name}:${id}`,
    turn: turnOf(run),
  });
}

/** Has the rest of a run end in so many milliseconds, unless somebody takes it up before. */
export async function makeDueAfterRest(
  { db, tasks }: Needs,
  run: Due & { readonly fence: number },
  delayMs: number,
): Promise<void> {
  const payload = { runId: run.id, restedAt: run.fence };
  await tasks.enqueue(db, runTask, payload, { delayMs, turn: turnOf(run) });
}

/**
 * Ends a rest. Where somebody took the run up since, it is another's, and is left to them. The run gets a task of its own, which
 * may be done again after a worker is lost: that of the rest could not be told then from one that was left over.
 */
export async function endRest(
  needs: Needs,
  { runId, restedAt }: { runId: string; restedAt: number },
): Promise<void> {
  await needs.db.transaction(async (tx) => {
    const run = await lockJobRun(tx, runId);
    if (run?.status === "running" && run.fence === restedAt) {
      await makeDue({ ...needs, db: tx }, run);
    }
  });
}

function turnOf({ job, actingAs }: Due) {
  return { of: actingAs ?? job, in: job };
}
