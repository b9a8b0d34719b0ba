import type { StepSection } from "#src/domain/job/run.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import type { Deps } from "#src/deps.ts";
import type { ActionNeeds } from "../actions/mod.ts";
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
import { doStep, type Outcome } from "./do_step.ts";
import { Ended, type Failure, LOST, steadily } from "./ends.ts";
import { newRunLog } from "./run_log.ts";
import type { Work } from "./work.ts";

const DEFAULT_TIMEOUT = "1h";
/** What comes after a failure, and in any case, has so long beyond the run's own time. */
const CLEANUP_MS = 5 * 60_000;

/**
 * Takes a run as far as it goes: to its end, to a step that rests, or to where its worker stops. Of several who take it up the
 * last one has it, and the others write nothing more.
 */
export async function runJob(
  needs: ActionNeeds,
  watch: AbortWatch,
  { runId, signal }: { runId: string; signal: AbortSignal },
): Promise<void> {
  const run = await takeJobRun(needs.db, runId);
  if (!run) return;
  if (needs.configuration.current().revision < run.revision) await needs.configuration.reload();
  const steps = await readSteps(needs.db, runId);
  const watched = watch.of(run);
  const log = newRunLog(needs, run);
  const work: Work = {
    needs,
    run,
    steps,
    planned: flatSteps(run.definition),
    log,
    ends: { abort: watched.signal, stop: signal, msLeft: () => msLeft(needs, run) },
  };
  if (run.attempt > 1 && steps.some((it) => it.status === "running" && !it.resting)) {
    log.line("warn", say`Taken up again: the worker before was lost`);
  }
  try {
    await continueRun(work);
  } catch (error) {
    if (error === LOST) return needs.log.info("job.run.lost", { run: runId });
    if (!(error instanceof Ended)) throw error;
    await steadily(() => log.flush());
    throw new RetryLater(error.sentence, { delayMs: 0, free: true }); // its worker stops
  } finally {
    watched.close();
    log.close();
  }
}

async function continueRun(work: Work): Promise<void> {
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

/** What comes after goes on though the run was aborted or took too long, for a while. */
function cleaning(work: Work): Work {
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

/** True where the run rests: somebody else goes on later. */
async function goThrough(work: Work, section: StepSection): Promise<boolean> {
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

/** A step that need not rest after all, for what it was to wait for has come, goes on. */
async function stepOrRest(work: Work, position: number) {
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

const ABORTED: Failure = {
  code: "aborted",
  message: say`The run was aborted`,
  retryable: false,
};

/** Undefined where the run was aborted: its step is, and nothing of this section follows. */
async function stepOrEnd(work: Work, position: number) {
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

/** Of the first failure the run is told; what was to follow in its section is left out. */
async function fail(
  work: Work,
  position: number,
  section: StepSection,
  { code, message }: Failure,
): Promise<void> {
  const { needs: { db }, run, steps } = work;
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

/** Nothing where it was aborted meanwhile, or what it is to wait for has come. */
async function putToRest(
  work: Work,
  position: number,
  { restMs, limitMs = Infinity }: Extract<Outcome, { end: "rest" }>,
): Promise<"rests" | "aborted" | "goes on"> {
  const { needs, run, log } = work;
  return await steadily(() =>
    needs.db.transaction(async (tx) => {
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
      await makeDueAfterRest({ ...needs, db: tx }, run, Math.min(restMs ?? Infinity, most));
      await log.flush(tx);
      return "rests";
    })
  );
}

async function settle(work: Work): Promise<void> {
  const { needs, run, log } = work;
  const status = await steadily(() =>
    needs.db.transaction(async (tx) => {
      await lockKey(tx, run.lockKey);
      if (!await holdsRun(tx, run)) throw LOST;
      const { failedStep, errorCode, error, errorFr } = await lockJobRun(tx, run.id) ?? run;
      await log.flush(tx);
      return await endRun({ ...needs, db: tx }, run, {
        failure: errorCode === null ? {} : { failedStep, errorCode, error, errorFr },
      });
    })
  );
  needs.log.info("job.run.ended", { run: run.id, job: run.job, status });
}

function msLeft({ clock }: Pick<Deps, "clock">, { startedAt, definition }: JobRun): number {
  const begun = startedAt ?? clock.now();
  const most = milliseconds(definition.timeout ?? DEFAULT_TIMEOUT);
  return begun.getTime() + most - clock.now().getTime();
}

/** Nobody works on it any more: its task was set aside. */
export async function runDied(
  needs: Pick<Deps, "clock" | "db" | "live" | "tasks">,
  runId: string,
): Promise<void> {
  const key = (await needs.db.transaction((tx) => lockJobRun(tx, runId)))?.lockKey;
  if (key === undefined) return;
  await needs.db.transaction(async (tx) => {
    await lockKey(tx, key);
    const run = await lockJobRun(tx, runId);
    if (run?.status !== "running") return;
    const message = say`Its worker was lost, again and again`;
    const failure = failureFields({ step: null, code: "worker_lost", message });
    await endRun({ ...needs, db: tx }, run, { failure });
  });
}
