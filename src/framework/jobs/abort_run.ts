import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { calledBy } from "#src/ports/accounts.ts";
import { stopRun } from "./end_run.ts";
import { findJobRun, lockKey } from "./store.ts";

/** Aborts a run: a running statement, call or pause ends within a second. Throws `conflict` for an ended run. */
export async function abortJobRun(
  deps: Pick<Deps, "clock" | "db" | "live" | "tasks">,
  { id, by }: { id: string; by: Actor },
): Promise<void> {
  const run = await findJobRun(deps.db, id);
  if (!run) throw notFound("Job run", id);
  await deps.db.transaction(async (tx) => {
    const within = { ...deps, db: tx };
    await lockKey(tx, run.lockKey);
    const message = say`Aborted by ${calledBy(by)}`;
    if (!await stopRun(within, id, { code: "aborted", message })) {
      const { status } = await findJobRun(tx, id) ?? run;
      throw new AppError("conflict", say`Run ${id} has ended already: it is ${status}`);
    }
    await recordAudit(within, {
      actor: by,
      event: "job_run.aborted",
      target: id,
      before: { job: run.job, status: run.status, phase: run.phase },
      after: { phase: "aborting" },
    });
  });
}
