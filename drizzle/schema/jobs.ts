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

/** One run of a job. It goes by the definition it began with, whatever becomes of the job meanwhile. */
export const jobRuns = p.pgTable("job_runs", {
  /** UUID v7: later runs have higher ones. */
  id: p.uuid().primaryKey(),
  job: p.text().notNull(),
  definition: p.jsonb().notNull(),
  status: p.text().$type<RunStatus>().notNull().default("running"),
  /** Null once it has ended. */
  phase: p.text().$type<RunPhase>(),
  trigger: p.text().$type<RunTrigger>().notNull(),
  /** Null where a schedule asked. */
  requestedBy: p.text(),
  /** In whose name its steps are done; null: nobody's, who may do nothing. */
  actingAs: p.text(),
  params: p.jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
  /** Who may see a parameter, by its name; one that is not here whoever may see the run. */
  paramReaders: p.jsonb().$type<Readonly<Record<string, Readers>>>().notNull()
    .default(sql`'{}'`),
  replayOf: p.uuid(),
  fromStep: p.text(),
  /** The run whose step began this one, and rests until it ends where `awaited`. */
  parent: p.uuid(),
  awaited: p.boolean().notNull().default(false),
  /** That step wants its outcome: nobody does once the parent has ended. */
  endsWithParent: p.boolean().notNull().default(false),
  scheduledFor: at(),
  /** How often a worker took it up. */
  attempt: p.integer().notNull().default(0),
  /** Rises whenever a worker takes it up; who holds an older number writes nothing more. */
  fence: p.bigint({ mode: "number" }).notNull().default(0),
  /** Runs with the same key share a limit. */
  lockKey: p.text().notNull(),
  lockLimit: p.integer().notNull(),
  /** It rests until then; nobody works on it. */
  wakeAt: at(),
  failedStep: p.text(),
  errorCode: p.text(),
  /** In English, and in French where that differs. */
  error: p.text(),
  errorFr: p.text(),
  /** How many lines were written; the latest are kept. */
  logLines: p.integer().notNull().default(0),
  createdAt: at().notNull().defaultNow(),
  startedAt: at(),
  endedAt: at(),
  /** Of the settings when it was begun: whoever works on it knows at least these. */
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

/** A step of a run. */
export const jobSteps = p.pgTable("job_steps", {
  runId: p.uuid().notNull().references(() => jobRuns.id, { onDelete: "cascade" }),
  /** Its place: the steps, then those after a failure, then those that come in any case. */
  position: p.integer().notNull(),
  id: p.text().notNull(),
  section: p.text().$type<StepSection>().notNull(),
  kind: p.text().notNull(),
  status: p.text().$type<StepStatus>().notNull().default("pending"),
  attempt: p.integer().notNull().default(0),
  rowCount: p.integer(),
  /** What later steps read of it, without its rows. */
  output: p.jsonb().$type<Readonly<Record<string, unknown>>>(),
  /** The permissions it needed, which whoever looks at its output needs too. */
  needs: p.text().array().notNull().default(sql`'{}'::text[]`),
  /** What of whom it was done for its output goes by, as it was then: others have others. */
  traits: p.jsonb().$type<readonly Trait[]>().notNull().default(sql`'[]'`),
  /** What it goes on from after an interruption; it rests between two attempts or waits where `resting`. */
  progress: p.jsonb().$type<Readonly<Record<string, unknown>>>(),
  resting: p.boolean().notNull().default(false),
  errorCode: p.text(),
  error: p.text(),
  errorFr: p.text(),
  startedAt: at(),
  endedAt: at(),
}, (t) => [p.primaryKey({ columns: [t.runId, t.position] })]);

/** Rows a step read, in parts, so that a step that goes over them holds one part. */
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

/** The last time each schedule was due and served, whoever served it. */
export const jobSchedules = p.pgTable("job_schedules", {
  job: p.text().notNull(),
  /** Expression and zone; another one starts anew. */
  cron: p.text().notNull(),
  lastDue: at().notNull(),
  notedAt: at().notNull().defaultNow(),
}, (t) => [p.primaryKey({ columns: [t.job, t.cron] })]);
