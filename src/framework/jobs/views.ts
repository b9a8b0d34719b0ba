import { and, count, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import { jobRows, jobRuns } from "#drizzle/schema/mod.ts";
import type { RunStatus, RunTrigger } from "#src/domain/job/run.ts";
import { type Db, getRows } from "#src/ports/db.ts";

export interface RunFilter {
  readonly job?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly trigger?: RunTrigger | undefined;
  /** Begun at this moment or later, and before that one. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const SUMMARY = {
  id: jobRuns.id,
  job: jobRuns.job,
  status: jobRuns.status,
  phase: jobRuns.phase,
  trigger: jobRuns.trigger,
  requestedBy: jobRuns.requestedBy,
  actingAs: jobRuns.actingAs,
  replayOf: jobRuns.replayOf,
  scheduledFor: jobRuns.scheduledFor,
  failedStep: jobRuns.failedStep,
  errorCode: jobRuns.errorCode,
  error: jobRuns.error,
  errorFr: jobRuns.errorFr,
  createdAt: jobRuns.createdAt,
  startedAt: jobRuns.startedAt,
  endedAt: jobRuns.endedAt,
};
export type RunSummary = Pick<typeof jobRuns.$inferSelect, keyof typeof SUMMARY>;

/** One page of runs, the newest first, and how many there are. */
export async function listJobRuns(
  db: Db,
  { filter, limit, offset }: { filter: RunFilter; limit: number; offset: number },
): Promise<{ runs: RunSummary[]; total: number }> {
  const where = matching(filter);
  const runs = await db.select(SUMMARY).from(jobRuns).where(where).orderBy(desc(jobRuns.id))
    .limit(limit).offset(offset);
  const [counted] = await db.select({ n: count() }).from(jobRuns).where(where);
  return { runs, total: counted?.n ?? 0 };
}

export async function idsOfRuns(
  db: Db,
  filter: RunFilter,
  limit: number,
): Promise<{ id: string; job: string }[]> {
  return await db.select({ id: jobRuns.id, job: jobRuns.job }).from(jobRuns)
    .where(matching(filter)).orderBy(jobRuns.id).limit(limit);
}

function matching({ job, status, trigger, from, to }: RunFilter): SQL | undefined {
  return and(
    job === undefined ? undefined : eq(jobRuns.job, job),
    status === undefined ? undefined : eq(jobRuns.status, status),
    trigger === undefined ? undefined : eq(jobRuns.trigger, trigger),
    from && gte(jobRuns.createdAt, from),
    to && lt(jobRuns.createdAt, to),
  );
}

/** Returns the ids that belong to existing runs. */
export async function runsThatAre(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set();
  const rows = await db.select({ id: jobRuns.id }).from(jobRuns)
    .where(inArray(sql`${jobRuns.id}::text`, [...ids]));
  return new Set(rows.map((it) => it.id));
}

/** The latest run of each job, and how many have not ended. */
export async function latestRuns(
  db: Db,
  jobs: readonly string[],
): Promise<Map<string, { last: RunSummary; open: number }>> {
  if (!jobs.length) return new Map();
  const latest = await db.selectDistinctOn([jobRuns.job], SUMMARY).from(jobRuns)
    .where(inArray(jobRuns.job, [...jobs])).orderBy(jobRuns.job, desc(jobRuns.id));
  const open = getRows<{ job: string; n: number }>(
    await db.execute(
      sql`select job, count(*)::int as n from job_runs where status = 'running' group by job`,
    ),
  );
  const counts = new Map(open.map((it) => [it.job, it.n]));
  return new Map(latest.map((last) => [last.job, { last, open: counts.get(last.job) ?? 0 }]));
}

const SHOWN_ROWS = 5;

/** The first rows each step of a run kept. */
export async function firstRows(
  db: Db,
  runId: string,
): Promise<Map<number, readonly Readonly<Record<string, unknown>>[]>> {
  const rows = await db.select({ position: jobRows.position, rows: jobRows.rows }).from(jobRows)
    .where(and(eq(jobRows.runId, runId), eq(jobRows.part, 0)));
  return new Map(rows.map((it) => [it.position, it.rows.slice(0, SHOWN_ROWS)]));
}
