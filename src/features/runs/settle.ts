import type { Deps } from "#src/deps.ts";
import type { Db } from "#src/ports/db.ts";
import { countOpen, endIfDone, findRun, updateRun } from "./store.ts";

type Needs = Pick<Deps, "db" | "live">;

/**
 * Ends the run when nothing of it is open; with `progress`, tells how far it is otherwise. To be called after the
 * commit that settled an item: of two workers that settle the last two at once, the later one sees both.
 */
export async function endRunIfDone(
  deps: Needs,
  runId: string,
  { progress = false } = {},
): Promise<void> {
  if (await endIfDone(deps.db, runId)) await tell(deps, deps.db, { runId, type: "run.finished" });
  else if (progress) await tell(deps, deps.db, { runId, type: "run.progress" });
}

/** Nothing of the file could be processed. */
export async function failRun(
  deps: Needs & Pick<Deps, "clock">,
  runId: string,
  error: string,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await updateRun(tx, runId, { state: "failed", error, finishedAt: deps.clock.now() });
    await tell(deps, tx, { runId, type: "run.finished" });
  });
}

async function tell(
  deps: Needs,
  tx: Db,
  { runId, type }: { runId: string; type: string },
): Promise<void> {
  const run = await findRun(tx, runId);
  if (!run) return;
  const data = { runId, state: run.state, total: run.total, open: await countOpen(tx, runId) };
  await deps.live.publish(tx, { topic: "runs", type, data, permission: "invoices:run" });
}
