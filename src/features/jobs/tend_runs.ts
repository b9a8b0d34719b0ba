import type { Deps } from "#src/deps.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { allJobs } from "./catalogue.ts";
import { KEPT_LOGS } from "./end_run.ts";
import { forgetLines, jobsWithRuns } from "./log_store.ts";
import { makeDue } from "./make_due.ts";
import { findJobRun, neglectedRuns } from "./store.ts";
import { runTask } from "./tasks.ts";

const MOST = 1_000;

/** Has runs taken up again that are under way and that no task is for, such as one whose child ended while nobody heard. */
export async function tendRuns(needs: Pick<Deps, "db" | "tasks">): Promise<number> {
  let tended = 0;
  for (const id of await neglectedRuns(needs.db, MOST)) {
    tended += await needs.db.transaction(async (tx) => {
      if (await needs.tasks.revive(tx, runTask, { runId: id })) return 0;
      const run = await findJobRun(tx, id);
      if (run?.status !== "running") return 0;
      await makeDue({ ...needs, db: tx }, run);
      return 1;
    });
  }
  return tended;
}

/** Deletes lines that are older than their job keeps them; old runs are deleted when the next one ends. */
export async function forgetJobLogs(
  needs: Pick<Deps, "configuration" | "db">,
): Promise<number> {
  const jobs = await allJobs(needs, needs.configuration.current());
  const keeps = new Map(jobs.map((it) => [it.name, it.definition.retention?.logs]));
  let gone = 0;
  for (const job of await jobsWithRuns(needs.db)) {
    gone += await forgetLines(needs.db, { job, ms: milliseconds(keeps.get(job) ?? KEPT_LOGS) });
  }
  return gone;
}
