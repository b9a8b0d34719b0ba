import { STEP_CODES } from "#src/definitions/jobs.ts";
import { reloadSections } from "#src/framework/configuration/mod.ts";
import { isSectionName, type SectionName, SECTIONS } from "#src/definitions/sections.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { NOBODY_WAITS, stopRun } from "../end_run.ts";
import { startRun } from "../start_run.ts";
import { findJobRun, lockKey, readOutcome } from "../store.ts";
import type { ActionDeps, StepAction, StepCall } from "./action.ts";

/** Longest pause during which the worker waits; longer ones rest. */
const NAP_MS = 2_000;

/** Waits without occupying a worker. */
export const sleep: StepAction<"sleep"> = {
  needs: () => [],
  isIdempotent: () => true,
  async perform({ clock }, { given, index, signal, progress, keep }) {
    const ms = milliseconds(given);
    const until = typeof progress?.["until"] === "number"
      ? progress["until"]
      : clock.now().getTime() + ms;
    const left = until - clock.now().getTime();
    if (left <= 0) return { output: { slept_ms: ms } };
    if (left > NAP_MS) await keep({ until });
    if (index === undefined && left > NAP_MS) return { restMs: left };
    await delay(left, signal);
    signal.throwIfAborted();
    return { output: { slept_ms: ms } };
  },
};

/** Computes values for the steps that follow. */
export const set: StepAction<"set"> = {
  needs: () => [],
  isIdempotent: () => true,
  perform: (_, { given }) => Promise.resolve({ output: { ...given } }),
};

/** Loads the stored settings and makes them effective. */
export const reload: StepAction<"reload"> = {
  needs: () => [{ code: STEP_CODES.reload, what: say`a step of the job` }],
  isIdempotent: () => true,
  async perform(deps, { given: scope, actor }) {
    if (scope !== "all" && !isSectionName(scope)) {
      throw new AppError(
        "invalid",
        say`There is no section ${scope}; ${SECTIONS.join(", ")} or all`,
      );
    }
    const reloaded = await reloadSections(deps, {
      scope: scope as SectionName | "all",
      by: actor,
    });
    return { output: { reloaded }, rowCount: reloaded.length };
  },
};

const LOOK_MS = 500;

/** Starts a run of another job in the same name, and by default waits for its end. */
export const job: StepAction<"job"> = {
  needs: ({ name }) => [{ code: `job:${name}`, what: say`a step of the job` }],
  isIdempotent: () => true, // which run it began is kept in the transaction that begins it
  async perform(deps, call) {
    const { given: { name, wait = true }, index, signal } = call;
    const child = childIn(call.progress) ?? await beginJob(deps, call);
    if (!wait) return { output: { run_id: child, status: "running" } };
    for (;;) {
      const { status, errorCode } = await readOutcome(deps.db, child);
      const skipped = errorCode === "skipped";
      if (status === "succeeded" || skipped) return { output: { run_id: child, status, skipped } };
      if (status !== "running") {
        throw new AppError("refused", say`The run ${child} of ${name} is ${status}`);
      }
      if (index === undefined) return { restMs: undefined };
      await delay(LOOK_MS, signal);
      signal.throwIfAborted();
    }
  },
  async leave(deps, progress) {
    const child = childIn(progress);
    const run = child === undefined ? undefined : await findJobRun(deps.db, child);
    if (!run?.endsWithParent) return;
    await deps.db.transaction(async (tx) => {
      await lockKey(tx, run.lockKey);
      await stopRun({ ...deps, db: tx }, run.id, NOBODY_WAITS);
    });
  },
};

function childIn(progress: Readonly<Record<string, unknown>> | null): string | undefined {
  const id = progress?.["run_id"];
  return typeof id === "string" ? id : undefined;
}

async function beginJob(deps: ActionDeps, call: StepCall<"job">): Promise<string> {
  const { given: { name, params = {}, wait = true }, run, actor, index, keep, log } = call;
  const { runId } = await deps.db.transaction(async (tx) => {
    const started = await startRun({ ...deps, db: tx }, {
      name,
      params,
      paramReaders: call.paramReaders(),
      trigger: "job",
      requestedBy: run.requestedBy,
      actor,
      actingAs: run.actingAs,
      parent: run.id,
      awaited: wait && index === undefined,
      endsWithParent: wait,
    });
    await keep({ run_id: started.runId }, tx);
    return started;
  });
  log("info", say`The run ${runId} of ${name} begins`);
  return runId;
}
