import { milliseconds } from "#src/kernel/units.ts";
import type { Deps } from "#src/deps.ts";
import type { JobDefinition } from "#src/definitions/jobs.ts";
import type { RunStatus } from "#src/domain/job/run.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { SentenceOrText } from "#src/kernel/i18n/kept.ts";
import { tellRun } from "./events.ts";
import { pruneLines } from "./log_store.ts";
import { makeDue } from "./make_due.ts";
import {
  failureFields,
  findJobRun,
  isResting,
  listWorkingRuns,
  lockJobRun,
  lockKey,
  lockRest,
  nextWaiting,
  openChildren,
  pruneRuns,
  settleSteps,
  updateJobRun,
} from "./store.ts";

type EndDeps = Pick<Deps, "clock" | "db" | "live" | "tasks">;

/** Default retention of runs and lines. */
const KEPT_RUNS = 200;
export const KEPT_LOGS = "30d";

export const NOBODY_WAITS = {
  code: "aborted",
  message: say`The step that started it no longer waits for it`,
};

/** Codes of a run that was aborted but did not fail. */
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
 * Ends a run in the caller's transaction; the caller holds the lock of its key. Ends its remaining steps, wakes its
 * parent, and admits the runs it blocked.
 */
export async function endRun(
  deps: EndDeps,
  run: Ending,
  { failure }: { failure: Partial<ReturnType<typeof failureFields>> },
): Promise<RunStatus> {
  const { db: tx, clock, live } = deps;
  const code = failure.errorCode ?? null;
  const status = code === null
    ? "succeeded"
    : ENDED_BY_SOMEBODY.includes(code)
    ? "aborted"
    : "failed";
  await stopChildren(deps, run, NOBODY_WAITS);
  await updateJobRun(tx, run.id, { ...failure, status, phase: null, wakeAt: null, ended: true });
  await settleSteps(tx, run.id, { from: ["pending"], to: "skipped" });
  await settleSteps(tx, run.id, { from: ["running"], to: "aborted" });
  await live.publish(
    tx,
    tellRun(run, { from: "running", to: status, phase: null, at: clock.now() }),
  );
  await admitNext(deps, run.lockKey);
  const { runs = KEPT_RUNS, logs = KEPT_LOGS } = run.definition.retention ?? {};
  await pruneRuns(tx, { job: run.job, runs });
  await pruneLines(tx, { job: run.job, ms: milliseconds(logs) });
  if (run.parent && run.awaited) await wakeParent(deps, run.parent);
  return status;
}

/** A parent that does not rest detects the end by itself. */
async function wakeParent(deps: EndDeps, id: string): Promise<void> {
  await lockRest(deps.db, id);
  const parent = await findJobRun(deps.db, id);
  if (parent?.status === "running" && await isResting(deps.db, id)) await makeDue(deps, parent);
}

/** Admits the runs that have waited longest, up to the limit of the key. */
async function admitNext(deps: EndDeps, key: string): Promise<void> {
  const { db: tx, clock, live } = deps;
  let working = (await listWorkingRuns(tx, key)).length;
  for (;;) {
    const run = await nextWaiting(tx, key);
    if (!run || working >= run.lockLimit) return;
    await updateJobRun(tx, run.id, { phase: "executing" });
    await live.publish(
      tx,
      tellRun(run, { from: "running", to: "running", phase: "executing", at: clock.now() }),
    );
    await makeDue(deps, run);
    working++;
  }
}

/**
 * Stops a run: immediately if it waits, else as soon as its worker is notified. Stops the child runs it waits for too.
 * The caller holds the lock of its key. Returns false when it had ended already.
 */
export async function stopRun(
  deps: EndDeps,
  id: string,
  reason: { readonly code: string; readonly message: SentenceOrText },
): Promise<boolean> {
  const { db: tx, clock, live } = deps;
  const run = await lockJobRun(tx, id);
  if (run?.status !== "running") return false;
  const failure = failureFields({ step: null, ...reason });
  if (run.phase === "queued") {
    await endRun(deps, run, { failure });
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
  await stopChildren(deps, run, reason);
  if (isNew && await isResting(tx, id)) await makeDue(deps, run); // a resting run has no worker to notice the abort
  return true;
}

async function stopChildren(
  deps: EndDeps,
  run: Pick<Ending, "id">,
  reason: { readonly code: string; readonly message: SentenceOrText },
): Promise<void> {
  for (const child of await openChildren(deps.db, run.id)) {
    await lockKey(deps.db, child.lockKey);
    await stopRun(deps, child.id, reason);
  }
}
