import type { JobDefinition } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import { EVERYBODY } from "#src/domain/job/readers.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { Actor } from "#src/ports/access.ts";
import { checkMaySee, readerNow, type RunReader } from "./readers.ts";
import { requireJob } from "./catalogue.ts";
import { type Reuse, type StartDeps, type Started, startRun } from "./start_run.ts";
import { findJobRun, type JobRun, readSteps } from "./store.ts";

interface ReplayRequest {
  readonly id: string;
  /** Step to begin with; results of earlier steps are reused. */
  readonly fromStep?: string | undefined;
  /** Parameters that override those of the earlier run. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly by: Actor;
}

/**
 * Runs a job again, with its current definition and the caller's rights. Throws AppError `conflict` while the run is
 * active, and `refused` when its steps cannot be reused. Throws `forbidden` when the caller may not see one of its
 * steps or parameters.
 */
export async function replayJobRun(
  deps: StartDeps & Pick<Deps, "accounts">,
  { id, fromStep, params = {}, by }: ReplayRequest,
): Promise<Started> {
  const run = await findJobRun(deps.db, id);
  if (!run) throw notFound("Job run", id);
  if (run.status === "running") throw new AppError("conflict", say`Run ${id} is under way`);
  const { definition } = await requireJob(deps, deps.configuration.current(), run.job);
  const reader = await readerNow(deps, by);
  const reuse = fromStep === undefined
    ? undefined
    : await reusable(deps, run, { definition, fromStep, reader });
  const taken = givable(run, definition, params);
  for (const name of Object.keys(taken)) {
    const what = say`the parameter ${name} of run ${id}, which is taken over`;
    checkMaySee(reader, run.paramReaders[name] ?? EVERYBODY, what);
  }
  return await deps.db.transaction(async (tx) => {
    const within = { ...deps, db: tx };
    const started = await startRun(within, {
      name: run.job,
      params: { ...taken, ...params },
      paramReaders: Object.fromEntries(
        Object.entries(run.paramReaders).filter(([name]) => Object.hasOwn(taken, name)),
      ),
      trigger: "replay",
      requestedBy: by.username,
      actor: by,
      actingAs: by.username,
      replayOf: id,
      ...fromStep !== undefined && { fromStep },
      ...reuse && { reuse },
    });
    const after = { job: run.job, run_id: started.runId, from_step: fromStep, params };
    await recordAudit(within, { actor: by, event: "job_run.replayed", target: id, after });
    return started;
  });
}

/** Parameters it had that a caller may give and does not. */
function givable(
  { params }: JobRun,
  definition: JobDefinition,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(params).filter(([name, value]) => {
    const declared = definition.params ?? {};
    const param = Object.hasOwn(declared, name) ? declared[name] : undefined;
    return value !== null && param !== undefined && param.from === undefined &&
      !Object.hasOwn(given, name);
  });
  return Object.fromEntries(entries);
}

async function reusable(
  { db }: Pick<StartDeps, "db">,
  run: JobRun,
  { definition, fromStep, reader }: {
    definition: JobDefinition;
    fromStep: string;
    reader: RunReader;
  },
): Promise<Reuse> {
  const ids = definition.steps.map((it) => it.id);
  const at = ids.indexOf(fromStep);
  if (at < 0) {
    const meant = nearest(fromStep, ids);
    throw new AppError(
      "refused",
      meant === undefined
        ? say`The job ${run.job} has no step ${fromStep}`
        : say`The job ${run.job} has no step ${fromStep}; did you mean ${meant}?`,
    );
  }
  const before = (await readSteps(db, run.id)).filter((it) => it.section === "steps").slice(0, at);
  for (const [place, id] of ids.slice(0, at).entries()) {
    const step = before[place];
    const isDone = step?.status === "succeeded" || step?.status === "skipped" ||
      step?.status === "failed" && definition.steps[place]?.continue_on_error === true;
    if (step?.id !== id || !isDone) {
      throw new AppError("refused", say`The step ${id} did not succeed in run ${run.id}`);
    }
    checkMaySee(reader, step, say`the step ${id}, whose output is taken over`);
  }
  return { runId: run.id, steps: before };
}
