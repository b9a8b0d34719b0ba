import { z } from "@hono/zod-openapi";
import { FROM_TO, inOrder, windowed, windowQuery } from "#src/http/list.ts";
import {
  LOG_LEVELS,
  RUN_PHASES,
  RUN_STATUSES,
  RUN_TRIGGERS,
  STEP_SECTIONS,
  STEP_STATUSES,
} from "#src/domain/job/run.ts";
import { momentText, orNull, wholeNumber } from "#src/http/wire.ts";

const moment = () => z.iso.datetime();
const Params = z.record(z.string().max(63), z.unknown());

export const JobPath = z.object({
  name: z.string().max(64).openapi({ description: "Name of the job", example: "nightly" }),
});
export const RunPath = z.object({
  run_id: z.uuid().openapi({
    description: "Identifier of the run",
    example: "019f0a3c-5a1e-7c44-9d0e-3f1f6f0f7a11",
  }),
});
/** File name that begins with its step's name, without characters that are unsafe in paths or headers. */
export const FilePath = RunPath.extend({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,80}\.(csv|json|xlsx)$/).openapi({
    example: "report.csv",
    description: "Name of the file",
  }),
});

const JobError = z.object({
  step: z.string().nullable().openapi({
    description: "Failed step; null when no step failed",
    example: "close",
  }),
  code: z.string().openapi({ description: "Error code", example: "query_failed" }),
  message: z.string().openapi({
    description: "Message in the caller's language",
    example: "The database does not answer",
  }),
}).openapi("JobError", { description: "Error of a run or step" });

const summary = {
  run_id: z.uuid().openapi({
    description: "Identifier of the run; later runs have higher ones",
    example: "019f0a3c-5a1e-7c44-9d0e-3f1f6f0f7a11",
  }),
  job: z.string().openapi({ description: "Name of the job", example: "nightly" }),
  status: z.enum(RUN_STATUSES).openapi({ description: "Status of the run" }),
  phase: z.enum(RUN_PHASES).nullable().openapi({
    description: "Phase of an unfinished run; null after its end",
    example: "executing",
  }),
  trigger: z.enum(RUN_TRIGGERS).openapi({ description: "Origin of the run", example: "manual" }),
  requested_by: z.string().nullable().openapi({
    description: "User who requested the run; null for a schedule",
    example: "alice",
  }),
  acting_as: z.string().nullable().openapi({
    description: "User whose permissions the run has",
    example: "alice",
  }),
  replay_of: z.uuid().nullable().openapi({
    description: "Run that this run repeats; null without one",
    example: "019f0a3c-5a1e-7c44-9d0e-3f1f6f0f7a11",
  }),
  scheduled_for: moment().nullable().openapi({
    description: "Scheduled time; null without a schedule",
    example: "2027-03-28T01:00:00.000Z",
  }),
  created_at: moment().openapi({
    description: "Time of creation",
    example: "2026-11-20T09:30:00.000Z",
  }),
  started_at: moment().nullable().openapi({
    description: "Time when a worker started the run; null before it",
    example: "2027-03-28T01:00:00.000Z",
  }),
  ended_at: moment().nullable().openapi({
    description: "Time of the end; null before it",
    example: "2027-03-28T01:00:00.000Z",
  }),
  duration_ms: z.int().nullable().openapi({
    description: "Duration in milliseconds; null before the end",
    example: 1240,
  }),
  error: orNull(JobError).openapi({
    description: "Error of the run; null without one",
    example: null,
  }),
};
export const JobRunSummary = z.object(summary).openapi("JobRunSummary", {
  description: "Run of a job without its steps",
});

const JobSchedule = z.object({
  cron: z.string().openapi({
    description: "Cron expression of five fields, or an alias such as `@daily`",
    example: "30 2 * * 1-5",
  }),
  timezone: z.string().openapi({
    description: "IANA name of the time zone",
    example: "Europe/Paris",
  }),
  missed: z.enum(["skip", "run_once", "run_all"]).openapi({
    description: "Treatment of times at which no worker ran",
    example: "run_once",
  }),
  next: z.string().nullable().openapi({
    description: "Next time, with the offset of the time zone; null without one",
    example: "2027-03-29T02:30:00+02:00",
  }),
}).openapi("JobSchedule", { description: "Schedule of a job" });

const job = {
  name: z.string().openapi({ description: "Name of the job", example: "nightly" }),
  label: z.string().openapi({ description: "Label of the job", example: "Nightly import" }),
  description: z.string().optional().openapi({
    description: "Purpose of the job",
    example: "Imports the orders of the day",
  }),
  source: z.enum(["settings", "template"]).openapi({
    description: "`settings`, or `template` for a document template",
    example: "settings",
  }),
  enabled: z.boolean().openapi({
    description: "False when the schedules are suspended; the job can still be started by hand",
    example: true,
  }),
  run_as: z.string().nullable().openapi({
    description: "User whose permissions a scheduled run has; null grants none",
    example: "sync",
  }),
  schedules: z.array(JobSchedule).openapi({ description: "Schedules of the job" }),
  open_runs: z.int().openapi({ description: "Number of unfinished runs", example: 1 }),
  last_run: orNull(JobRunSummary).openapi({
    description: "Latest run; null before the first",
  }),
};
export const JobList = z.object({
  jobs: z.array(
    z.object(job).openapi("Job", { description: "Job with its schedules and last run" }),
  ).openapi({ description: "Jobs by name" }),
  ...windowed,
}).openapi("JobList", { description: "Page of jobs" });
export const JobListQuery = windowQuery();

export const JobDetail = z.object({
  ...job,
  definition: z.record(z.string(), z.unknown()).openapi({
    description: "Definition from the settings or the document template",
    example: { "steps": [{ "id": "close", "query": "erp.close_orders" }] },
  }),
  runs: z.array(JobRunSummary).openapi({ description: "Last 50 runs, newest first" }),
}).openapi("JobDetail", { description: "Job with its definition and runs" });

export const RunBody = z.object({
  params: Params.default({}).openapi({
    description: "Parameters that replace the defaults",
    example: { "company": "00001" },
  }),
}).strict().openapi("JobRunStart", { description: "Parameters of the run" });
export const RunStarted = z.object({
  run_id: z.uuid().openapi({
    description: "Identifier of the run",
    example: "019f0a3c-5a1e-7c44-9d0e-3f1f6f0f7a11",
  }),
}).openapi("JobRunStarted", { description: "Started run" });
export const ReplayBody = z.object({
  from_step: z.string().max(63).optional().openapi({
    description: "First step to execute; earlier results come from the repeated run",
    example: "close",
  }),
  params: Params.optional().openapi({
    description: "Parameters that replace those of the repeated run",
    example: { "company": "00001" },
  }),
}).strict().openapi("JobRunReplay", { description: "Options of the repetition" });

const filter = {
  job: z.string().max(64).optional().openapi({
    description: "Only runs of this job",
    example: "nightly",
  }),
  status: z.enum(RUN_STATUSES).optional().openapi({ description: "Only runs with this status" }),
  trigger: z.enum(RUN_TRIGGERS).optional().openapi({
    description: "Only runs with this origin",
    example: "manual",
  }),
  from: momentText().optional().openapi({
    description: "Start of the period, inclusive",
    example: "2026-11-01T00:00:00Z",
  }),
  to: momentText().optional().openapi({
    description: "End of the period, exclusive",
    example: "2026-12-01T00:00:00Z",
  }),
};
export const RunsQuery = inOrder(windowQuery({ limit: 50, most: 500 }).extend(filter), FROM_TO);
export const RunList = z.object({
  runs: z.array(JobRunSummary).openapi({ description: "Runs of this page, newest first" }),
  ...windowed,
}).openapi(
  "JobRunList",
  { description: "Page of runs" },
);

export const BulkBody = z.object({
  action: z.enum(["abort", "replay"]).openapi({
    description: "Action on each run",
    example: "abort",
  }),
  filter: z.object(filter).strict().openapi({ description: "Runs to change" }),
}).strict().openapi("JobRunsChange", { description: "Change of several runs" });
export const BulkDone = z.object({
  matched: z.int().openapi({ description: "Number of matching runs", example: 4 }),
  done: z.array(
    z.object({
      run_id: z.uuid().openapi({
        description: "Identifier of the run",
        example: "019f0a3c-5a1e-7c44-9d0e-3f1f6f0f7a11",
      }),
      new_run_id: z.uuid().optional().openapi({
        description: "Run that repeats it",
        example: "019f0a3c-5a1e-7c44-9d0e-3f1f6f0f7a11",
      }),
    }).openapi({ description: "Aborted or repeated run" }),
  ).openapi({ description: "Aborted or repeated runs" }),
  refused: z.array(
    z.object({
      run_id: z.uuid().openapi({
        description: "Identifier of the run",
        example: "019f0a3c-5a1e-7c44-9d0e-3f1f6f0f7a11",
      }),
      detail: z.string().openapi({
        description: "Reason why the run did not change",
        example: "The run has ended",
      }),
    }).openapi({ description: "Unchanged run with the reason" }),
  ).openapi({ description: "Unchanged runs with the reason" }),
}).openapi("JobRunsChanged", { description: "Result of changing several runs" });

export const LogLine = z.object({
  seq: z.int().openapi({ description: "Number of the line", example: 1 }),
  at: moment().openapi({ description: "Time of the line", example: "2026-11-20T09:30:00.000Z" }),
  level: z.enum(LOG_LEVELS).openapi({
    description: "Severity of the line",
  }),
  step: z.string().nullable().openapi({
    description: "Step that wrote the line; null for the run itself",
    example: "close",
  }),
  message: z.string().openapi({
    description: "Message",
    example: "12 rows read",
  }),
  data: z.record(z.string(), z.unknown()).nullable().openapi({
    description: "Values of the message; null without them",
    example: { "rows": 12 },
  }),
}).openapi("JobLogLine", { description: "Log line of a run" });

const lineCounts = {
  log_lines_total: z.int().openapi({
    description: "Number of log lines; the latest 10,000 are stored",
    example: 17,
  }),
  log_lines_let_go: z.int().openapi({
    description: "Number of deleted log lines",
    example: 0,
  }),
};

const JobStep = z.object({
  id: z.string().openapi({
    description: "Name of the step",
    example: "close",
  }),
  section: z.enum(STEP_SECTIONS).openapi({
    description: "Section of the definition",
  }),
  kind: z.string().openapi({ description: "Kind of the step", example: "query" }),
  status: z.enum(STEP_STATUSES).openapi({ description: "Status of the step" }),
  attempt: z.int().openapi({ description: "Number of attempts", example: 1 }),
  started_at: moment().nullable().openapi({
    description: "Time of the first attempt; null before it",
    example: "2027-03-28T01:00:00.000Z",
  }),
  ended_at: moment().nullable().openapi({
    description: "Time of the end; null before it",
    example: "2027-03-28T01:00:00.000Z",
  }),
  duration_ms: z.int().nullable().openapi({
    description: "Duration in milliseconds; null before the end",
    example: 120,
  }),
  row_count: z.int().nullable().openapi({
    description: "Number of read or changed rows, or of items",
    example: 12,
  }),
  output_preview: z.record(z.string(), z.unknown()).nullable().openapi({
    description: "First rows of the output, for callers with the permissions of the step",
    example: { "rows": [["SO-00000001"]] },
  }),
  withheld: z.boolean().openapi({
    description: "True when the caller lacks a permission for the output",
    example: false,
  }),
  error: orNull(JobError).openapi({
    description: "Error of the step; null without one",
  }),
}).openapi("JobStep", { description: "Step of a run" });

export const JobRun = z.object({
  ...summary,
  params: Params.openapi({
    description: "Parameters of the run",
    example: { "company": "00001" },
  }),
  withheld_params: z.array(z.string()).openapi({
    description: "Names of parameters that the caller may not see",
    example: [],
  }),
  attempt: z.int().openapi({
    description: "Number of times that a worker started the run",
    example: 1,
  }),
  from_step: z.string().nullable().openapi({
    description: "First executed step; earlier results come from the repeated run",
    example: "close",
  }),
  parent: z.uuid().nullable().openapi({
    description: "Run whose step started this run; null without one",
    example: "019f0a3c-5a1e-7c44-9d0e-3f1f6f0f7a11",
  }),
  wakes_at: moment().nullable().openapi({
    description: "Time when a paused run continues; null otherwise",
    example: "2027-03-28T01:00:00.000Z",
  }),
  steps: z.array(JobStep).openapi({ description: "Steps in their order" }),
  ...lineCounts,
  logs: z.array(LogLine).openapi({ description: "Latest 1,000 log lines, oldest first" }),
}).openapi("JobRun", { description: "Run of a job with its steps and log" });

/** Cursor of a line in the log, as text. */
export const LINE_NUMBER = /^\d{1,9}$/;
export const LogQuery = z.object({
  follow: z.enum(["true", "false"]).default("false").openapi({
    description: "`true` streams the lines as server-sent events until the run ends",
  }),
  after: z.string().regex(LINE_NUMBER).transform(Number).optional().openapi({
    type: "integer",
    minimum: 0,
    description: "Number of the last received line; the answer starts after it",
    example: 17,
  }),
  limit: wholeNumber(1, 1_000, 1_000).openapi({
    description: "Maximum number of lines",
    example: 1000,
  }),
});
export const LogLines = z.object({
  lines: z.array(LogLine).openapi({ description: "Log lines, oldest first" }),
  ...lineCounts,
  ended: z.boolean().openapi({ description: "True when no further lines follow", example: true }),
}).openapi("JobLog", { description: "Log lines of a run" });
