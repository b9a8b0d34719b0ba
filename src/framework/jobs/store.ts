import { type SentenceOrText, toColumns } from "#src/kernel/i18n/kept.ts";
import {
  and,
  asc,
  desc,
  eq,
  inArray,
  isNull,
  lte,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { jobRuns, jobSteps } from "#drizzle/schema/mod.ts";
import type { JobDefinition } from "#src/definitions/jobs.ts";
import type { Trait } from "#src/domain/job/readers.ts";
import type { RunPhase, RunStatus, StepStatus } from "#src/domain/job/run.ts";
import { type Db, getRows } from "#src/ports/db.ts";

type StoredRun = typeof jobRuns.$inferSelect;
/** Run with its definition. */
export type JobRun = Omit<StoredRun, "definition"> & { readonly definition: JobDefinition };
export type NewJobRun = Omit<typeof jobRuns.$inferInsert, "definition"> & {
  readonly definition: JobDefinition;
};
export type JobStep = typeof jobSteps.$inferSelect;
export type NewJobStep = typeof jobSteps.$inferInsert;

export async function insertRun(tx: Db, run: NewJobRun, steps: readonly NewJobStep[]) {
  await tx.insert(jobRuns).values(run);
  if (steps.length) await tx.insert(jobSteps).values([...steps]);
}

export async function findJobRun(db: Db, id: string): Promise<JobRun | undefined> {
  const [row] = await db.select().from(jobRuns).where(eq(jobRuns.id, id));
  return row as JobRun | undefined;
}

/** Returns the outcome of a run; a deleted run counts as ended. */
export async function readOutcome(
  db: Db,
  id: string,
): Promise<Pick<StoredRun, "status" | "errorCode">> {
  const [row] = await db.select({ status: jobRuns.status, errorCode: jobRuns.errorCode })
    .from(jobRuns).where(eq(jobRuns.id, id));
  return row ?? { status: "aborted", errorCode: null };
}

/** Holds the row until the transaction ends. */
export async function lockJobRun(tx: Db, id: string): Promise<JobRun | undefined> {
  const [row] = await tx.select().from(jobRuns).where(eq(jobRuns.id, id)).for("update");
  return row as JobRun | undefined;
}

/** Locks a key until the transaction ends, so that its runs are admitted and ended one at a time. */
export async function lockKey(tx: Db, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(728143, hashtext(${key}))`);
}

/**
 * Locks the rest of a parent run, so that its start and the end of the child are ordered. Taken as the last lock, to
 * avoid deadlocks.
 */
export async function lockRest(tx: Db, parent: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(728144, hashtext(${parent}))`);
}

/** Runs of a key that have not ended, the oldest first. */
export async function listOpenRuns(tx: Db, key: string): Promise<string[]> {
  const rows = await tx.select({ id: jobRuns.id }).from(jobRuns)
    .where(and(eq(jobRuns.lockKey, key), sql`status = 'running'`))
    .orderBy(asc(jobRuns.id));
  return rows.map(({ id }) => id);
}

/** Returns the runs of a key that may be worked on; few, however many wait. */
export async function listWorkingRuns(tx: Db, key: string): Promise<string[]> {
  const rows = await tx.select({ id: jobRuns.id }).from(jobRuns)
    .where(and(eq(jobRuns.lockKey, key), sql`status = 'running' and phase <> 'queued'`))
    .orderBy(asc(jobRuns.id));
  return rows.map(({ id }) => id);
}

/** Returns true when at least so many runs of a key wait. */
export async function hasWaiting(tx: Db, key: string, atLeast: number): Promise<boolean> {
  const rows = await tx.select({ id: jobRuns.id }).from(jobRuns).where(waitsFor(key))
    .orderBy(asc(jobRuns.id)).offset(atLeast - 1).limit(1);
  return rows.length === 1;
}

/** The run of a key that waits longest. */
export async function nextWaiting(tx: Db, key: string): Promise<JobRun | undefined> {
  const [row] = await tx.select().from(jobRuns).where(waitsFor(key)).orderBy(asc(jobRuns.id))
    .limit(1);
  return row as JobRun | undefined;
}

function waitsFor(key: string): SQL | undefined {
  return and(eq(jobRuns.lockKey, key), sql`status = 'running' and phase = 'queued'`);
}

/**
 * Makes the caller the worker of a run instead of an earlier one. Returns undefined when there is nothing to do: the
 * run ended, waits for another, or rests.
 */
export async function takeJobRun(db: Db, id: string): Promise<JobRun | undefined> {
  const [row] = await db.update(jobRuns).set({
    fence: sql`${jobRuns.fence} + 1`,
    attempt: sql`${jobRuns.attempt} + 1`,
    startedAt: sql`coalesce(${jobRuns.startedAt}, now())`,
    wakeAt: null,
  }).where(and(
    eq(jobRuns.id, id),
    eq(jobRuns.status, "running"),
    inArray(jobRuns.phase, ["executing", "aborting"]),
    or(isNull(jobRuns.wakeAt), lte(jobRuns.wakeAt, sql`now() + interval '100 ms'`)),
  )).returning();
  return row as JobRun | undefined;
}

export async function updateJobRun(
  tx: Db,
  id: string,
  fields:
    & Partial<
      Pick<
        StoredRun,
        | "status"
        | "phase"
        | "wakeAt"
        | "failedStep"
        | "errorCode"
        | "error"
        | "errorFr"
        | "logLines"
      >
    >
    & { readonly wakeInMs?: number | undefined; readonly ended?: true },
): Promise<void> {
  const { wakeInMs, ended, ...set } = fields;
  await tx.update(jobRuns).set({
    ...set,
    ...wakeInMs !== undefined &&
      { wakeAt: sql`now() + ${Math.round(wakeInMs)} * interval '1 ms'` },
    ...ended && { endedAt: sql`now()` },
  }).where(eq(jobRuns.id, id));
}

/** Why a run fails, as its row keeps it. */
export function failureFields(
  { step, code, message }: { step: string | null; code: string; message: SentenceOrText },
): Pick<StoredRun, "failedStep" | "errorCode" | "error" | "errorFr"> {
  return { failedStep: step, errorCode: code, ...toColumns("error", message) };
}

/** Returns true while the worker with this fence number owns the run; locks its row until the transaction ends. */
export async function holdsRun(
  tx: Db,
  { id, fence }: Pick<StoredRun, "id" | "fence">,
): Promise<boolean> {
  const rows = await tx.select({ id: jobRuns.id }).from(jobRuns)
    .where(and(eq(jobRuns.id, id), eq(jobRuns.fence, fence), eq(jobRuns.status, "running")))
    .for("update");
  return rows.length === 1;
}

export async function readSteps(db: Db, runId: string): Promise<JobStep[]> {
  return await db.select().from(jobSteps).where(eq(jobSteps.runId, runId))
    .orderBy(asc(jobSteps.position));
}

export interface StepChange {
  readonly status?: StepStatus;
  readonly rowCount?: number | null;
  readonly output?: Readonly<Record<string, unknown>> | null;
  readonly needs?: string[];
  readonly traits?: readonly Trait[];
  readonly progress?: Readonly<Record<string, unknown>> | null;
  /** Progress of a loop, which replaces its earlier progress; items that no longer run are removed. */
  readonly loop?: Readonly<Record<string, unknown>> & { readonly open: readonly number[] };
  /** Progress of one item of a loop. */
  readonly item?: { readonly index: number; readonly progress: Readonly<Record<string, unknown>> };
  readonly resting?: boolean;
  readonly errorCode?: string | null;
  readonly error?: string | null;
  readonly errorFr?: string | null;
  /** One more attempt begins. */
  readonly begins?: true;
  readonly ends?: true;
}

/** Returns false, without writing, when another worker owns the run. */
export async function updateStep(
  db: Db,
  { run, position }: { run: Pick<StoredRun, "id" | "fence">; position: number },
  { begins, ends, loop, item, ...set }: StepChange,
): Promise<boolean> {
  const rows = await db.update(jobSteps).set({
    ...set,
    ...loop && { progress: withLoop(loop) },
    ...item && { progress: withItem(item) },
    ...begins && {
      attempt: sql`${jobSteps.attempt} + 1`,
      startedAt: sql`coalesce(${jobSteps.startedAt}, now())`,
    },
    ...ends && { endedAt: sql`now()` },
  }).where(and(
    eq(jobSteps.runId, run.id),
    eq(jobSteps.position, position),
    sql`exists (select 1 from ${jobRuns} where ${jobRuns.id} = ${run.id} and ${jobRuns.fence} = ${run.fence} and ${jobRuns.status} = 'running')`,
  )).returning({ position: jobSteps.position });
  return rows.length === 1;
}

/** A loop and its items write in parallel: each changes only its own part of the stored value. */
function withLoop(loop: NonNullable<StepChange["loop"]>): SQL {
  const open = loop.open.map(String);
  return sql`coalesce(${jobSteps.progress}, '{}'::jsonb) || ${JSON.stringify(loop)}::jsonb
    || jsonb_build_object('items', coalesce((
      select jsonb_object_agg(key, value) from jsonb_each(${jobSteps.progress}->'items')
      where key = any(${sql.param(open)}::text[])), '{}'::jsonb))`;
}

function withItem({ index, progress }: NonNullable<StepChange["item"]>): SQL {
  return sql`coalesce(${jobSteps.progress}, '{}'::jsonb) || jsonb_build_object('items',
    coalesce(${jobSteps.progress}->'items', '{}'::jsonb)
      || jsonb_build_object(${String(index)}::text, ${JSON.stringify(progress)}::jsonb))`;
}

/** Steps that will not be done any more. */
export async function settleSteps(
  tx: Db,
  runId: string,
  { from, to, sections }: {
    from: readonly StepStatus[];
    to: StepStatus;
    sections?: readonly string[];
  },
): Promise<void> {
  const where: (SQL | undefined)[] = [
    eq(jobSteps.runId, runId),
    inArray(jobSteps.status, [...from]),
    sections && inArray(jobSteps.section, sections as ("steps" | "on_failure" | "finally")[]),
  ];
  await tx.update(jobSteps).set({ status: to, resting: false }).where(and(...where));
}

/** Phases of runs that are worked on; those that ended are not there. */
export async function readPhases(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, RunPhase | null>> {
  const rows = await db.select({ id: jobRuns.id, phase: jobRuns.phase }).from(jobRuns)
    .where(and(inArray(jobRuns.id, [...ids]), eq(jobRuns.status, "running")));
  return new Map(rows.map((it) => [it.id, it.phase]));
}

/** Ids of runs that are said to be worked on, and were not touched for a while; parents of runs that ended are among them. */
export async function neglectedRuns(db: Db, limit: number): Promise<string[]> {
  const rows = getRows<{ id: string }>(
    await db.execute(sql`
      select r.id from job_runs r
      where r.status = 'running' and r.phase <> 'queued'
        and coalesce(r.wake_at, r.started_at, r.created_at) < now() - interval '30 s'
        and not exists (select 1 from job_runs c where c.parent = r.id and c.awaited and c.status = 'running')
      order by r.id limit ${limit}`),
  );
  return rows.map((it) => it.id);
}

/** Deletes the oldest runs beyond the job's retention; active ones stay. */
export async function pruneRuns(
  tx: Db,
  { job, runs }: { job: string; runs: number },
): Promise<void> {
  const [oldest] = await tx.select({ id: jobRuns.id }).from(jobRuns).where(eq(jobRuns.job, job))
    .orderBy(desc(jobRuns.id)).offset(runs).limit(1);
  if (!oldest) return;
  await tx.delete(jobRuns).where(and(
    eq(jobRuns.job, job),
    lte(jobRuns.id, oldest.id),
    notInArray(jobRuns.status, ["running" satisfies RunStatus]),
  ));
}

/** Runs that end with a run, and have not ended. */
export async function openChildren(
  db: Db,
  parent: string,
): Promise<Pick<StoredRun, "id" | "lockKey">[]> {
  return await db.select({ id: jobRuns.id, lockKey: jobRuns.lockKey }).from(jobRuns).where(
    and(
      eq(jobRuns.parent, parent),
      eq(jobRuns.endsWithParent, true),
      eq(jobRuns.status, "running"),
    ),
  );
}

/** Returns true while a run rests until an active child run ends. */
export async function isAwaiting(db: Db, parent: string): Promise<boolean> {
  const rows = await db.select({ id: jobRuns.id }).from(jobRuns).where(
    and(eq(jobRuns.parent, parent), eq(jobRuns.awaited, true), eq(jobRuns.status, "running")),
  ).limit(1);
  return rows.length === 1;
}

/** One of its steps waits, and no worker is needed meanwhile. */
export async function isResting(db: Db, runId: string): Promise<boolean> {
  const rows = await db.select({ position: jobSteps.position }).from(jobSteps)
    .where(and(eq(jobSteps.runId, runId), eq(jobSteps.resting, true))).limit(1);
  return rows.length === 1;
}
