import type { JobDefinition } from "#src/definitions/jobs.ts";
import type { Deps } from "#src/deps.ts";
import { EVERYBODY } from "#src/domain/job/readers.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { Actor } from "#src/ports/access.ts";
import { checkMaySee, type Reader, readerNow } from "./readers.ts";
import { findJob } from "./catalogue.ts";
import { type Reuse, type Started, type StartNeeds, startRun } from "./start_run.ts";
import { findJobRun, type JobRun, readSteps } from "./store.ts";

interface ReplayRequest {
  readonly id: string;
  /** Steps before it are not done again: what they gave is taken over. */
  readonly fromStep?: string | undefined;
  /** In place of those it had. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly by: Actor;
}

/**
 * A run once more, as the job is now and with the rights of who asks. Throws AppError: `conflict` while it is under way, `refused`
 * where its steps cannot be taken over, `forbidden` where one of them, or a parameter, is not for the caller to see.
 */
export async function replayJobRun(
  needs: StartNeeds & Pick<Deps, "accounts">,
  { id, fromStep, params = {}, by }: ReplayRequest,
): Promise<Started> {
  const run = await findJobRun(needs.db, id);
  if (!run) throw notFound("Job run", id);
  if (run.status === "running") throw new AppError("conflict", say`Run ${id} is under way`);
  const { definition } = await findJob(needs, needs.configuration.current(), run.job);
  const reader = await readerNow(needs, by);
  const reuse = fromStep === undefined
    ? undefined
    : await reusable(needs, run, { definition, fromStep, reader });
  const taken = givable(run, definition, params);
  for (const name of Object.keys(taken)) {
    const what = say`the parameter ${name} of run ${id}, which is taken over`;
    checkMaySee(reader, run.paramReaders[name] ?? EVERYBODY, what);
  }
  return await needs.db.transaction(async (tx) => {
    const within = { ...needs, db: tx };
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
  { db }: Pick<StartNeeds, "db">,
  run: JobRun,
  { definition, fromStep, reader }: {
    definition: JobDefinition;
    fromStep: string;
    reader: Reader;
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
