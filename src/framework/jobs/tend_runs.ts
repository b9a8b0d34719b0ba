import type { Deps } from "#src/deps.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { allJobs } from "./catalogue.ts";
import { KEPT_LOGS } from "./end_run.ts";
import { jobsWithRuns, pruneLines } from "./log_store.ts";
import { makeDue } from "./make_due.ts";
import { findJobRun, neglectedRuns } from "./store.ts";
import { runTask } from "./tasks.ts";

const MAX = 1_000;

/** Resumes active runs without a task, for example when the end of a child run was not noticed. */
export async function tendRuns(deps: Pick<Deps, "db" | "tasks">): Promise<number> {
  let tended = 0;
  for (const id of await neglectedRuns(deps.db, MAX)) {
    tended += await deps.db.transaction(async (tx) => {
      if (await deps.tasks.revive(tx, runTask, { runId: id })) return 0;
      const run = await findJobRun(tx, id);
      if (run?.status !== "running") return 0;
      await makeDue({ ...deps, db: tx }, run);
      return 1;
    });
  }
  return tended;
}

/** Deletes expired log lines of jobs; old runs are deleted when the next one ends. */
export async function pruneJobLogs(
  deps: Pick<Deps, "configuration" | "db">,
): Promise<number> {
  const jobs = await allJobs(deps, deps.configuration.current());
  const keeps = new Map(jobs.map((it) => [it.name, it.definition.retention?.logs]));
  let gone = 0;
  for (const job of await jobsWithRuns(deps.db)) {
    gone += await pruneLines(deps.db, { job, ms: milliseconds(keeps.get(job) ?? KEPT_LOGS) });
  }
  return gone;
}
