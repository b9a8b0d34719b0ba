import type { StepSection } from "#src/domain/job/run.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import type { Deps } from "#src/deps.ts";
import type { ActionDeps } from "../actions/mod.ts";
import { refusalOfAuthor } from "../acting.ts";
import { endRun } from "../end_run.ts";
import { makeDueAfterRest } from "../make_due.ts";
import { flatSteps } from "../start_run.ts";
import {
  failureFields,
  holdsRun,
  isAwaiting,
  type JobRun,
  lockJobRun,
  lockKey,
  lockRest,
  readSteps,
  settleSteps,
  takeJobRun,
  updateJobRun,
  updateStep,
} from "../store.ts";
import type { AbortWatch } from "./abort_watch.ts";
import type { StepOutcome } from "./do_once.ts";
import { doStep } from "./do_step.ts";
import { Ended, LOST, steadily, type StepFailure } from "./ends.ts";
import { newRunLog } from "./run_log.ts";
import type { RunWork } from "./work.ts";

const DEFAULT_TIMEOUT = "1h";
/** Extra time for the sections that follow a failure or always run. */
const CLEANUP_MS = 5 * 60_000;

/**
 * Executes a run to its end, to a resting step, or until its worker stops. Of several workers the last one owns the
 * run, and the others stop writing.
 */
export async function runJob(
  deps: ActionDeps,
  watch: AbortWatch,
  { runId, signal }: { runId: string; signal: AbortSignal },
): Promise<void> {
  const run = await takeJobRun(deps.db, runId);
  if (!run) return;
  if (deps.configuration.current().revision < run.revision) await deps.configuration.reload();
  const steps = await readSteps(deps.db, runId);
  const refusal = await steadily(() => refusalOfAuthor(deps, run));
  const watched = watch.of(run);
  const log = newRunLog(deps, run);
  const work: RunWork = {
    refusal,
    deps,
    run,
    steps,
    planned: flatSteps(run.definition),
    log,
    ends: { abort: watched.signal, stop: signal, msLeft: () => msLeft(deps, run) },
  };
  if (run.attempt > 1 && steps.some((it) => it.status === "running" && !it.resting)) {
    log.line("warn", say`Taken up again: the worker before was lost`);
  }
  try {
    await continueRun(work);
  } catch (error) {
    if (error === LOST) return deps.log.info("job.run.lost", { run: runId });
    if (!(error instanceof Ended)) throw error;
    await steadily(() => log.flush());
    throw new RetryLater(error.sentence, { delayMs: 0, free: true }); // its worker stops
  } finally {
    watched.close();
    log.close();
  }
}

async function continueRun(work: RunWork): Promise<void> {
  const isMain = work.run.errorCode === null && !work.ends.abort.aborted;
  const order: StepSection[] = isMain ? ["steps"] : [];
  for (const section of order) if (await goThrough(work, section)) return;
  const ended = cleaning(work);
  const { errorCode } = work.run;
  const wasEnded = errorCode === null || ENDED_BY_SOMEBODY.has(errorCode);
  if (!wasEnded && await goThrough(ended, "on_failure")) return;
  if (await goThrough(ended, "finally")) return;
  work.run = ended.run;
  await settle(work);
}

const ENDED_BY_SOMEBODY = new Set(["aborted", "superseded"]);

/** Lets the final sections run for a limited time although the run was aborted or timed out. */
function cleaning(work: RunWork): RunWork {
  const until = performance.now() + CLEANUP_MS;
  return {
    ...work,
    ends: {
      ...work.ends,
      abort: new AbortController().signal,
      msLeft: () => until - performance.now(),
    },
  };
}

/** Executes the steps of a section; returns true when the run rests and continues later. */
async function goThrough(work: RunWork, section: StepSection): Promise<boolean> {
  for (const [position, planned] of work.planned.entries()) {
    if (planned.section !== section) continue;
    const status = work.steps[position]?.status;
    if (status !== "pending" && status !== "running") continue;
    const outcome = await stepOrRest(work, position);
    if (outcome === "rests") return true;
    if (outcome === undefined) return false;
    if (outcome.end === "failed" && !planned.step.continue_on_error) {
      await fail(work, position, section, outcome.failure);
      return false;
    }
  }
  return false;
}

/** Continues a step that need not rest, because the event it waits for has occurred. */
async function stepOrRest(work: RunWork, position: number) {
  for (;;) {
    const outcome = await stepOrEnd(work, position);
    if (outcome?.end !== "rest") return outcome;
    const put = await putToRest(work, position, outcome);
    if (put === "rests") return put;
    if (put === "aborted") {
      const section = work.planned[position]?.section ?? "steps";
      await fail(work, position, section, ABORTED); // as it was to rest
      return undefined;
    }
    const row = work.steps[position];
    if (row) work.steps[position] = { ...row, resting: true };
  }
}

const ABORTED: StepFailure = {
  code: "aborted",
  message: say`The run was aborted`,
  retryable: false,
};

/** Returns undefined for an aborted run: its step is aborted, and its section ends. */
async function stepOrEnd(work: RunWork, position: number) {
  const { stop, abort, msLeft } = work.ends;
  if (stop.aborted) throw new Ended("stopping", say`Its worker stops`);
  try {
    if (abort.aborted) throw new Ended("aborted", ABORTED.message);
    if (msLeft() <= 0) {
      const message = say`The run took longer than it may`;
      return { end: "failed" as const, failure: { code: "timeout", message, retryable: false } };
    }
    return await doStep(work, position);
  } catch (error) {
    if (!(error instanceof Ended) || error.why !== "aborted") throw error;
    await fail(work, position, "steps", ABORTED);
    return undefined;
  }
}

/** Records the first failure on the run, and skips the rest of its section. */
async function fail(
  work: RunWork,
  position: number,
  section: StepSection,
  { code, message }: StepFailure,
): Promise<void> {
  const { deps: { db }, run, steps } = work;
  const step = steps[position]?.id ?? null;
  await steadily(() =>
    db.transaction(async (tx) => {
      const fresh = await lockJobRun(tx, run.id);
      if (fresh?.fence !== run.fence || fresh.status !== "running") throw LOST;
      const fields = fresh.errorCode === null
        ? failureFields({ step, code, message })
        : { failedStep: fresh.failedStep ?? step };
      await updateJobRun(tx, run.id, fields);
      await settleSteps(tx, run.id, { from: ["running"], to: "aborted", sections: [section] });
      await settleSteps(tx, run.id, { from: ["pending"], to: "skipped", sections: [section] });
      work.run = { ...fresh, ...fields };
    })
  );
  for (const [at, it] of steps.entries()) {
    if (it.section !== section) continue;
    if (it.status === "pending") steps[at] = { ...it, status: "skipped" };
    if (it.status === "running") steps[at] = { ...it, status: "aborted" };
  }
}

/** Does nothing when the run was aborted meanwhile, or when the awaited event has occurred. */
async function putToRest(
  work: RunWork,
  position: number,
  { restMs, limitMs = Infinity }: Extract<StepOutcome, { end: "rest" }>,
): Promise<"rests" | "aborted" | "goes on"> {
  const { deps, run, log } = work;
  return await steadily(() =>
    deps.db.transaction(async (tx) => {
      if (!await holdsRun(tx, run)) throw LOST;
      const fresh = await lockJobRun(tx, run.id);
      if (fresh?.phase === "aborting" && work.run.phase !== "aborting") return "aborted";
      const most = Math.min(limitMs, Math.max(0, work.ends.msLeft()));
      if (restMs === undefined) {
        await lockRest(tx, run.id);
        if (!await isAwaiting(tx, run.id)) return "goes on";
      }
      await updateStep(tx, { run, position }, { status: "running", resting: true });
      if (restMs !== undefined) {
        await updateJobRun(tx, run.id, {
          wakeInMs: Math.min(restMs, most),
        });
      }
      await makeDueAfterRest({ ...deps, db: tx }, run, Math.min(restMs ?? Infinity, most));
      await log.flush(tx);
      return "rests";
    })
  );
}

async function settle(work: RunWork): Promise<void> {
  const { deps, run, log } = work;
  const status = await steadily(() =>
    deps.db.transaction(async (tx) => {
      await lockKey(tx, run.lockKey);
      if (!await holdsRun(tx, run)) throw LOST;
      const { failedStep, errorCode, error, errorFr } = await lockJobRun(tx, run.id) ?? run;
      await log.flush(tx);
      return await endRun({ ...deps, db: tx }, run, {
        failure: errorCode === null ? {} : { failedStep, errorCode, error, errorFr },
      });
    })
  );
  deps.log.info("job.run.ended", { run: run.id, job: run.job, status });
}

function msLeft({ clock }: Pick<Deps, "clock">, { startedAt, definition }: JobRun): number {
  const begun = startedAt ?? clock.now();
  const most = milliseconds(definition.timeout ?? DEFAULT_TIMEOUT);
  return begun.getTime() + most - clock.now().getTime();
}

/** Ends a run without a worker, because its task was quarantined. */
export async function runDied(
  deps: Pick<Deps, "clock" | "db" | "live" | "tasks">,
  runId: string,
): Promise<void> {
  const key = (await deps.db.transaction((tx) => lockJobRun(tx, runId)))?.lockKey;
  if (key === undefined) return;
  await deps.db.transaction(async (tx) => {
    await lockKey(tx, key);
    const run = await lockJobRun(tx, runId);
    if (run?.status !== "running") return;
    const message = say`Its worker was lost, again and again`;
    const failure = failureFields({ step: null, code: "worker_lost", message });
    await endRun({ ...deps, db: tx }, run, { failure });
  });
}
