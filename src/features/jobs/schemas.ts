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

export const JobPath = z.object({ name: z.string().max(64) });
export const RunPath = z.object({ run_id: z.uuid() });
/** A file's name begins with its step's, and holds nothing a path or a header could be made of. */
export const FilePath = RunPath.extend({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,80}\.(csv|json|xlsx)$/).openapi({
    example: "report.csv",
  }),
});

const JobError = z.object({
  step: z.string().nullable(),
  code: z.string(),
  message: z.string(),
}).openapi("JobError");

const summary = {
  run_id: z.uuid(),
  job: z.string(),
  status: z.enum(RUN_STATUSES),
  phase: z.enum(RUN_PHASES).nullable(),
  trigger: z.enum(RUN_TRIGGERS),
  requested_by: z.string().nullable(),
  acting_as: z.string().nullable(),
  replay_of: z.uuid().nullable(),
  scheduled_for: moment().nullable(),
  created_at: moment(),
  started_at: moment().nullable(),
  ended_at: moment().nullable(),
  duration_ms: z.int().nullable(),
  error: orNull(JobError),
};
export const JobRunSummary = z.object(summary).openapi("JobRunSummary");

const JobSchedule = z.object({
  cron: z.string(),
  timezone: z.string(),
  missed: z.enum(["skip", "run_once", "run_all"]),
  next: z.string().nullable(),
}).openapi("JobSchedule");

const job = {
  name: z.string(),
  label: z.string(),
  description: z.string().optional(),
  source: z.enum(["settings", "template"]),
  enabled: z.boolean(),
  run_as: z.string().nullable(),
  schedules: z.array(JobSchedule),
  open_runs: z.int(),
  last_run: orNull(JobRunSummary),
};
export const JobList = z.object({
  jobs: z.array(z.object(job).openapi("Job")),
  ...windowed,
}).openapi("JobList");
export const JobListQuery = windowQuery();

export const JobDetail = z.object({
  ...job,
  definition: z.record(z.string(), z.unknown()),
  runs: z.array(JobRunSummary),
}).openapi("JobDetail");

export const RunBody = z.object({ params: Params.default({}) }).strict().openapi("JobRunStart");
export const RunStarted = z.object({ run_id: z.uuid() }).openapi("JobRunStarted");
export const ReplayBody = z.object({
  from_step: z.string().max(63).optional(),
  params: Params.optional(),
}).strict().openapi("JobRunReplay");

const filter = {
  job: z.string().max(64).optional(),
  status: z.enum(RUN_STATUSES).optional(),
  trigger: z.enum(RUN_TRIGGERS).optional(),
  from: momentText().optional(),
  to: momentText().optional(),
};
export const RunsQuery = inOrder(windowQuery({ limit: 50, most: 500 }).extend(filter), FROM_TO);
export const RunList = z.object({ runs: z.array(JobRunSummary), ...windowed }).openapi(
  "JobRunList",
);

export const BulkBody = z.object({
  action: z.enum(["abort", "replay"]),
  filter: z.object(filter).strict(),
}).strict().openapi("JobRunsChange");
export const BulkDone = z.object({
  matched: z.int(),
  done: z.array(z.object({ run_id: z.uuid(), new_run_id: z.uuid().optional() })),
  refused: z.array(z.object({ run_id: z.uuid(), detail: z.string() })),
}).openapi("JobRunsChanged");

export const LogLine = z.object({
  seq: z.int(),
  at: moment(),
  level: z.enum(LOG_LEVELS),
  step: z.string().nullable(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()).nullable(),
}).openapi("JobLogLine");

const lineCounts = {
  log_lines_total: z.int(),
  log_lines_let_go: z.int().openapi({
    description: "The oldest of them, which are kept no more: a run keeps its latest 10,000",
  }),
};

const JobStep = z.object({
  id: z.string(),
  section: z.enum(STEP_SECTIONS),
  kind: z.string(),
  status: z.enum(STEP_STATUSES),
  attempt: z.int(),
  started_at: moment().nullable(),
  ended_at: moment().nullable(),
  duration_ms: z.int().nullable(),
  row_count: z.int().nullable(),
  output_preview: z.record(z.string(), z.unknown()).nullable(),
  withheld: z.boolean(),
  error: orNull(JobError),
}).openapi("JobStep");

export const JobRun = z.object({
  ...summary,
  params: Params,
  withheld_params: z.array(z.string()).openapi({
    description: "Names of those that are not for the caller to see",
  }),
  attempt: z.int(),
  from_step: z.string().nullable(),
  parent: z.uuid().nullable(),
  wakes_at: moment().nullable(),
  steps: z.array(JobStep),
  ...lineCounts,
  logs: z.array(LogLine),
}).openapi("JobRun");

/** A line's place in the log, as a text. */
export const LINE_NUMBER = /^\d{1,9}$/;
export const LogQuery = z.object({
  follow: z.enum(["true", "false"]).default("false"),
  after: z.string().regex(LINE_NUMBER).transform(Number).optional().openapi({
    type: "integer",
    minimum: 0,
  }),
  limit: wholeNumber(1, 1_000, 1_000),
});
export const LogLines = z.object({
  lines: z.array(LogLine),
  ...lineCounts,
  ended: z.boolean(),
}).openapi("JobLog");

export const CronQuery = z.object({
  expression: z.string().min(1).max(200),
  timezone: z.string().min(1).max(60).default("UTC"),
  from: z.iso.datetime({ offset: true }).optional(),
});
export const CronPreview = z.object({
  expression: z.string(),
  timezone: z.string(),
  next: z.array(
    z.object({ at: z.string(), utc: moment(), note: z.string().optional() }).openapi("CronFire"),
  ),
}).openapi("CronPreview");
