import type { Deps } from "#src/deps.ts";
import { lockJobRun } from "./store.ts";
import { runTask } from "./tasks.ts";

type MakeDueDeps = Pick<Deps, "db" | "tasks">;
interface Due {
  readonly id: string;
  readonly job: string;
  readonly actingAs?: string | null | undefined;
}

/** Has a worker take the run up. */
export async function makeDue({ db, tasks }: MakeDueDeps, run: Due): Promise<void> {
  const { id } = run;
  await tasks.enqueue(db, runTask, { runId: id }, {
    dedupeKey: `${runTask.name}:${id}`,
    turn: getTurn(run),
  });
}

/** Ends the rest of a run after so many milliseconds, unless a worker takes it earlier. */
export async function makeDueAfterRest(
  { db, tasks }: MakeDueDeps,
  run: Due & { readonly fence: number },
  delayMs: number,
): Promise<void> {
  const payload = { runId: run.id, restedAt: run.fence };
  await tasks.enqueue(db, runTask, payload, { delayMs, turn: getTurn(run) });
}

/**
 * Ends a rest, unless another worker has taken the run since. The run gets a new task that may be retried after the
 * loss of a worker. The task of the rest could not be distinguished from a stale one.
 */
export async function endRest(
  deps: MakeDueDeps,
  { runId, restedAt }: { runId: string; restedAt: number },
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const run = await lockJobRun(tx, runId);
    if (run?.status === "running" && run.fence === restedAt) {
      await makeDue({ ...deps, db: tx }, run);
    }
  });
}

function getTurn({ job, actingAs }: Due) {
  return { of: actingAs ?? job, in: job };
}
