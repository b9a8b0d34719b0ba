import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";

import type { Readers, Trait } from "#src/domain/job/readers.ts";
import type {
  RunPhase,
  RunStatus,
  RunTrigger,
  StepSection,
  StepStatus,
} from "#src/domain/job/run.ts";

const at = () => p.timestamp({ withTimezone: true });

/** Run of a job. It keeps the definition it started with, even if the job changes. */
export const jobRuns = p.pgTable("job_runs", {
  /** UUID v7: later runs have higher ids. */
  id: p.uuid().primaryKey(),
  job: p.text().notNull(),
  definition: p.jsonb().notNull(),
  status: p.text().$type<RunStatus>().notNull().default("running"),
  /** Null once the run has ended. */
  phase: p.text().$type<RunPhase>(),
  trigger: p.text().$type<RunTrigger>().notNull(),
  /** Null for a schedule. */
  requestedBy: p.text(),
  /** User in whose name the steps run; null means nobody, without any permission. */
  actingAs: p.text(),
  params: p.jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
  /** Readers of single parameters by name; other parameters are visible to everyone who may see the run. */
  paramReaders: p.jsonb().$type<Readonly<Record<string, Readers>>>().notNull()
    .default(sql`'{}'`),
  replayOf: p.uuid(),
  fromStep: p.text(),
  /** Run whose step started this one. With `awaited` the parent waits until this run ends. */
  parent: p.uuid(),
  awaited: p.boolean().notNull().default(false),
  /** The parent's step needs the outcome, so this run ends with the parent. */
  endsWithParent: p.boolean().notNull().default(false),
  scheduledFor: at(),
  /** Number of times a worker started or resumed the run. */
  attempt: p.integer().notNull().default(0),
  /** Increases with each worker; a worker with an older number can no longer write. */
  fence: p.bigint({ mode: "number" }).notNull().default(0),
  /** Runs with the same key share a limit. */
  lockKey: p.text().notNull(),
  lockLimit: p.integer().notNull(),
  /** The run sleeps until this time; no worker holds it. */
  wakeAt: at(),
  failedStep: p.text(),
  errorCode: p.text(),
  /** English text, and the French one if it differs. */
  error: p.text(),
  errorFr: p.text(),
  /** Number of lines written; only the latest are stored. */
  logLines: p.integer().notNull().default(0),
  createdAt: at().notNull().defaultNow(),
  startedAt: at(),
  endedAt: at(),
  /** Revision of the settings at the start: a worker must have loaded at least this one. */
  revision: p.integer().notNull().default(0),
}, (t) => [
  p.index("job_runs_of_job").on(t.job, t.id),
  p.index("job_runs_by_status").on(t.status, t.id),
  p.index("job_runs_open").on(t.lockKey, t.id).where(sql`status = 'running'`),
  p.index("job_runs_working").on(t.lockKey, t.id)
    .where(sql`status = 'running' and phase <> 'queued'`),
  p.index("job_runs_by_date").on(t.createdAt, t.id),
  p.index("job_runs_open_children").on(t.parent)
    .where(sql`parent is not null and status = 'running'`),
]);

/** Step of a run. */
export const jobSteps = p.pgTable("job_steps", {
  runId: p.uuid().notNull().references(() => jobRuns.id, { onDelete: "cascade" }),
  /** Position: the steps, then those for failures, then those that always run. */
  position: p.integer().notNull(),
  id: p.text().notNull(),
  section: p.text().$type<StepSection>().notNull(),
  kind: p.text().notNull(),
  status: p.text().$type<StepStatus>().notNull().default("pending"),
  attempt: p.integer().notNull().default(0),
  rowCount: p.integer(),
  /** Values for later steps, without the rows. */
  output: p.jsonb().$type<Readonly<Record<string, unknown>>>(),
  /** Permissions that the step needed; reading its output needs them too. */
  needs: p.text().array().notNull().default(sql`'{}'::text[]`),
  /** Attributes of the acting user at that time that decided the output; readers need the same ones. */
  traits: p.jsonb().$type<readonly Trait[]>().notNull().default(sql`'[]'`),
  /**
   * State to resume from after an interruption. With `resting` the step waits or is between two attempts.
   */
  progress: p.jsonb().$type<Readonly<Record<string, unknown>>>(),
  resting: p.boolean().notNull().default(false),
  errorCode: p.text(),
  error: p.text(),
  errorFr: p.text(),
  startedAt: at(),
  endedAt: at(),
}, (t) => [p.primaryKey({ columns: [t.runId, t.position] })]);

/** Rows that a step read, in parts, so that a loop over them holds only one part in memory. */
export const jobRows = p.pgTable("job_rows", {
  runId: p.uuid().notNull().references(() => jobRuns.id, { onDelete: "cascade" }),
  position: p.integer().notNull(),
  part: p.integer().notNull(),
  rows: p.jsonb().$type<readonly Readonly<Record<string, unknown>>[]>().notNull(),
}, (t) => [p.primaryKey({ columns: [t.runId, t.position, t.part] })]);

export const jobLogs = p.pgTable("job_logs", {
  runId: p.uuid().notNull().references(() => jobRuns.id, { onDelete: "cascade" }),
  seq: p.integer().notNull(),
  at: at().notNull(),
  level: p.text().$type<"debug" | "info" | "warn" | "error">().notNull(),
  step: p.text(),
  message: p.text().notNull(),
  messageFr: p.text(),
  data: p.jsonb().$type<Readonly<Record<string, unknown>>>(),
}, (t) => [p.primaryKey({ columns: [t.runId, t.seq] }), p.index("job_logs_by_date").on(t.at)]);

/** Last due time of each schedule that was served. */
export const jobSchedules = p.pgTable("job_schedules", {
  job: p.text().notNull(),
  /** Cron expression and time zone; a change restarts the schedule. */
  cron: p.text().notNull(),
  lastDue: at().notNull(),
  notedAt: at().notNull().defaultNow(),
}, (t) => [p.primaryKey({ columns: [t.job, t.cron] })]);
