import { firesAfter } from "#src/domain/schedule/cron.ts";
import { zonedText } from "#src/domain/schedule/zone.ts";
import { createLocaliser } from "#src/definitions/localiser.ts";
import type { Deps } from "#src/deps.ts";
import { EVERYBODY } from "#src/domain/job/readers.ts";
import { SECRET_MASK } from "#src/domain/template/template.ts";
import { soundsSecret } from "#src/kernel/secret_names.ts";
import type { Language } from "#src/kernel/language.ts";
import { readColumns } from "#src/kernel/i18n/kept.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";
import { allJobs, type Job, requireJob } from "./catalogue.ts";
import { type LogRow, MAX_LINES, readLines } from "./log_store.ts";
import { maySee, readerNow, type RunReader } from "./readers.ts";
import { findJobRun, type JobRun, type JobStep, readSteps } from "./store.ts";
import { firstRows, latestRuns, listJobRuns, type RunSummary } from "./views.ts";

type ShowJobsDeps = Pick<Deps, "accounts" | "clock" | "configuration" | "db">;

const RUNS_SHOWN = 50;
const LINES_SHOWN = 1_000;

/** One page of the jobs there are, each with its next times and its latest run. */
export async function showJobs(
  deps: ShowJobsDeps,
  { language, limit, offset }: { language: Language; limit: number; offset: number },
) {
  const all = await allJobs(deps, deps.configuration.current());
  const page = all.slice(offset, offset + limit);
  const latest = await latestRuns(deps.db, page.map((it) => it.name));
  const jobs = page.map((it) => jobView(deps, it, { language, latest: latest.get(it.name) }));
  return { jobs, total: all.length, limit, offset };
}

/** Throws AppError `not_found`. */
export async function showJob(deps: ShowJobsDeps, name: string, language: Language) {
  const job = await requireJob(deps, deps.configuration.current(), name);
  const latest = (await latestRuns(deps.db, [name])).get(name);
  const { runs } = await listJobRuns(deps.db, {
    filter: { job: name },
    limit: RUNS_SHOWN,
    offset: 0,
  });
  return {
    ...jobView(deps, job, { language, latest }),
    definition: { ...job.definition },
    runs: runs.map((it) => summaryView(it, language)),
  };
}

function jobView(
  { clock, configuration }: ShowJobsDeps,
  { name, source, definition, runAs }: Job,
  { language, latest }: {
    language: Language;
    latest: { last: RunSummary; open: number } | undefined;
  },
) {
  const { text } = createLocaliser(configuration.current(), [language]);
  const { label, description, enabled = true, schedule = [] } = definition;
  const said = text(description);
  return {
    name,
    label: text(label) ?? name,
    ...said !== undefined && { description: said },
    source,
    enabled,
    run_as: runAs,
    schedules: schedule.map(({ cron, timezone = "UTC", missed = "skip" }) => {
      const [next] = enabled ? firesAfter({ expression: cron, timezone }, clock.now(), 1) : [];
      return { cron, timezone, missed, next: next ? zonedText(next.at, timezone) : null };
    }),
    open_runs: latest?.open ?? 0,
    last_run: latest ? summaryView(latest.last, language) : null,
  };
}

export function summaryView(run: RunSummary, language: Language) {
  return {
    run_id: run.id,
    job: run.job,
    status: run.status,
    phase: run.phase,
    trigger: run.trigger,
    requested_by: run.requestedBy,
    acting_as: run.actingAs,
    replay_of: run.replayOf,
    scheduled_for: run.scheduledFor?.toISOString() ?? null,
    created_at: run.createdAt.toISOString(),
    ...times(run),
    error: errorView({ ...run, step: run.failedStep }, language),
  };
}

function times({ startedAt, endedAt }: { startedAt: Date | null; endedAt: Date | null }) {
  return {
    started_at: startedAt?.toISOString() ?? null,
    ended_at: endedAt?.toISOString() ?? null,
    duration_ms: startedAt && endedAt ? endedAt.getTime() - startedAt.getTime() : null,
  };
}

function errorView(
  { step, errorCode: code, ...row }: {
    step: string | null;
    errorCode: string | null;
    error: string | null;
    errorFr: string | null;
  },
  language: Language,
) {
  return code === null ? null : { step, code, message: readColumns(language, row, "error") ?? "" };
}

/**
 * Shows a run with its steps and latest lines. Parameters and step results are shown only to their permitted readers.
 */
export async function showJobRun(
  deps: ShowJobsDeps,
  run: JobRun,
  { language, actor }: { language: Language; actor: Actor },
) {
  const rows = await firstRows(deps.db, run.id);
  const steps = await readSteps(deps.db, run.id);
  const reader = await readerNow(deps, actor);
  return {
    ...summaryView(run, language),
    ...paramsView(run, reader),
    attempt: run.attempt,
    from_step: run.fromStep,
    parent: run.parent,
    wakes_at: run.wakeAt?.toISOString() ?? null,
    steps: steps.map((it) => stepView(it, { rows: rows.get(it.position), language, reader })),
    ...linesView(run),
    logs: (await readLines(deps.db, run.id, { limit: LINES_SHOWN }))
      .map((it) => lineView(it, language)),
  };
}

function paramsView({ params, paramReaders }: JobRun, reader: RunReader) {
  const shown = Object.entries(params).filter(([name]) =>
    maySee(reader, paramReaders[name] ?? EVERYBODY)
  );
  const isShown = new Set(shown.map(([name]) => name));
  return {
    params: Object.fromEntries(
      shown.map((
        [name, value],
      ) => [name, soundsSecret(name) && value ? SECRET_MASK : value]),
    ),
    withheld_params: Object.keys(params).filter((it) => !isShown.has(it)),
  };
}

/** Returns the number of all lines, and of the oldest ones that were deleted. */
export function linesView({ logLines }: Pick<JobRun, "logLines">) {
  return {
    log_lines_total: logLines,
    log_lines_let_go: Math.max(0, logLines - MAX_LINES),
  };
}

function stepView(
  step: JobStep,
  { rows, language, reader }: {
    rows: readonly Readonly<Record<string, unknown>>[] | undefined;
    language: Language;
    reader: RunReader;
  },
) {
  const withheld = !maySee(reader, step);
  const given = step.output || rows ? { ...step.output, ...rows && { rows } } : null;
  return {
    id: step.id,
    section: step.section,
    kind: step.kind,
    status: step.status,
    attempt: step.attempt,
    ...times(step),
    row_count: step.rowCount,
    output_preview: withheld ? null : given,
    withheld: withheld && given !== null,
    error: errorView({ ...step, step: step.id }, language),
  };
}

export function lineView({ seq, at, level, step, data, ...row }: LogRow, language: Language) {
  return {
    seq,
    at: at.toISOString(),
    level,
    step,
    message: readColumns(language, row, "message"),
    data: data as Record<string, unknown> | null,
  };
}

/** Throws AppError `not_found`. */
export async function usedRun({ db }: Pick<Deps, "db">, id: string): Promise<JobRun> {
  const run = await findJobRun(db, id);
  if (!run) throw notFound("Job run", id);
  return run;
}
