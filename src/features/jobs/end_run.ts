import { milliseconds } from "#src/kernel/units.ts";
import type { Deps } from "#src/deps.ts";
import type { JobDefinition } from "#src/definitions/jobs.ts";
import type { RunStatus } from "#src/domain/job/run.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { SentenceOrText } from "#src/kernel/sentences/kept.ts";
import { tellRun } from "./events.ts";
import { forgetLines } from "./log_store.ts";
import { makeDue } from "./make_due.ts";
import {
  failureFields,
  findJobRun,
  forgetRuns,
  isResting,
  lockJobRun,
  lockKey,
  lockRest,
  nextWaiting,
  openChildren,
  settleSteps,
  updateJobRun,
  workingRunsOf,
} from "./store.ts";

type EndNeeds = Pick<Deps, "clock" | "db" | "live" | "tasks">;

/** Runs and lines a job keeps that says nothing of it. */
const KEPT_RUNS = 200;
export const KEPT_LOGS = "30d";

export const NOBODY_WAITS = {
  code: "aborted",
  message: say`The step that began it waits for it no more`,
};

/** Codes of a run that was ended by somebody, and did not fail. */
const ENDED_BY_SOMEBODY: readonly string[] = ["aborted", "superseded", "skipped"];

interface Ending {
  readonly id: string;
  readonly job: string;
  readonly lockKey: string;
  readonly definition: JobDefinition;
  readonly parent?: string | null | undefined;
  readonly awaited?: boolean | undefined;
}

/**
 * The end of a run, in the transaction of whoever ends it, who holds the lock of its key: its steps that were not done, who
 * waits for it, and what it kept from beginning.
 */
export async function endRun(
  needs: EndNeeds,
  run: Ending,
  { failure }: { failure: Partial<ReturnType<typeof failureFields>> },
): Promise<RunStatus> {
  const { db: tx, clock, live } = needs;
  const code = failure.errorCode ?? null;
  const status = code === null
    ? "succeeded"
    : ENDED_BY_SOMEBODY.includes(code)
    ? "aborted"
    : "failed";
  await stopChildren(needs, run, NOBODY_WAITS);
  await updateJobRun(tx, run.id, { ...failure, status, phase: null, wakeAt: null, ended: true });
  await settleSteps(tx, run.id, { from: ["pending"], to: "skipped" });
  await settleSteps(tx, run.id, { from: ["running"], to: "aborted" });
  await live.publish(
    tx,
    tellRun(run, { from: "running", to: status, phase: null, at: clock.now() }),
  );
  await admitNext(needs, run.lockKey);
  const { runs = KEPT_RUNS, logs = KEPT_LOGS } = run.definition.retention ?? {};
  await forgetRuns(tx, { job: run.job, runs });
  await forgetLines(tx, { job: run.job, ms: milliseconds(logs) });
  if (run.parent && run.awaited) await wakeParent(needs, run.parent);
  return status;
}

/** One that does not rest sees for itself that it need not wait. */
async function wakeParent(needs: EndNeeds, id: string): Promise<void> {
  await lockRest(needs.db, id);
  const parent = await findJobRun(needs.db, id);
  if (parent?.status === "running" && await isResting(needs.db, id)) await makeDue(needs, parent);
}

/** Those that wait longest, as many as may begin. */
async function admitNext(needs: EndNeeds, key: string): Promise<void> {
  const { db: tx, clock, live } = needs;
  let working = (await workingRunsOf(tx, key)).length;
  for (;;) {
    const run = await nextWaiting(tx, key);
    if (!run || working >= run.lockLimit) return;
    await updateJobRun(tx, run.id, { phase: "executing" });
    await live.publish(
      tx,
      tellRun(run, { from: "running", to: "running", phase: "executing", at: clock.now() }),
    );
    await makeDue(needs, run);
    working++;
  }
}

/**
 * Has a run end: at once where it waits, else as soon as whoever works on it hears of it, and the runs it waits for with it.
 * The caller holds the lock of its key. False where it had ended.
 */
export async function stopRun(
  needs: EndNeeds,
  id: string,
  reason: { readonly code: string; readonly message: SentenceOrText },
): Promise<boolean> {
  const { db: tx, clock, live } = needs;
  const run = await lockJobRun(tx, id);
  if (run?.status !== "running") return false;
  const failure = failureFields({ step: null, ...reason });
  if (run.phase === "queued") {
    await endRun(needs, run, { failure });
    return true;
  }
  const isNew = run.phase !== "aborting";
  if (isNew) {
    await updateJobRun(tx, id, { ...failure, phase: "aborting", wakeAt: null });
    await live.publish(
      tx,
      tellRun(run, { from: "running", to: "running", phase: "aborting", at: clock.now() }),
    );
  }
  await stopChildren(needs, run, reason);
  if (isNew && await isResting(tx, id)) await makeDue(needs, run); // nobody works on it who could hear
  return true;
}

async function stopChildren(
  needs: EndNeeds,
  run: Pick<Ending, "id">,
  reason: { readonly code: string; readonly message: SentenceOrText },
): Promise<void> {
  for (const child of await openChildren(needs.db, run.id)) {
    await lockKey(needs.db, child.lockKey);
    await stopRun(needs, child.id, reason);
  }
}
