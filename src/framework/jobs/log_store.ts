import { and, asc, desc, eq, gt, lt, lte, sql } from "drizzle-orm";
import { jobLogs, jobRuns } from "#drizzle/schema/mod.ts";
import { type BilingualColumns, type SentenceOrText, toColumns } from "#src/kernel/i18n/kept.ts";
import type { JobLogLevel } from "#src/domain/job/run.ts";
import { type Db, getRows } from "#src/ports/db.ts";

export type LogRow = typeof jobLogs.$inferSelect;

/** Line of a run's log before it is stored. */
export interface JobLogLine {
  readonly at: Date;
  readonly level: JobLogLevel;
  readonly step?: string | undefined;
  readonly message: SentenceOrText;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** Lines a run keeps: the latest. */
export const MAX_LINES = 10_000;

/** Adds lines behind those there are; resolves to them with their numbers. */
export async function insertLines(
  tx: Db,
  runId: string,
  lines: readonly JobLogLine[],
): Promise<(Omit<LogRow, "messageFr" | "message"> & BilingualColumns<"message">)[]> {
  const [run] = await tx.update(jobRuns).set({
    logLines: sql`${jobRuns.logLines} + ${lines.length}`,
  })
    .where(eq(jobRuns.id, runId)).returning({ total: jobRuns.logLines });
  if (!run || !lines.length) return [];
  const first = run.total - lines.length + 1;
  const rows = lines.map(({ message, step = null, data = null, ...line }, index) => ({
    ...line,
    step,
    data,
    runId,
    seq: first + index,
    ...limitMessage(toColumns("message", message)),
  }));
  await tx.insert(jobLogs).values(rows);
  if (run.total > MAX_LINES) {
    await tx.delete(jobLogs)
      .where(and(eq(jobLogs.runId, runId), lte(jobLogs.seq, run.total - MAX_LINES)));
  }
  return rows;
}

const MAX_CHARACTERS = 4_000;

function limitMessage(
  { message, messageFr }: BilingualColumns<"message">,
): BilingualColumns<"message"> {
  return {
    message: message.slice(0, MAX_CHARACTERS),
    messageFr: messageFr?.slice(0, MAX_CHARACTERS) ?? null,
  };
}

/** Returns the latest lines, oldest first; with a cursor, only the lines after it. */
export async function readLines(
  db: Db,
  runId: string,
  { after, limit }: { after?: number | undefined; limit: number },
): Promise<LogRow[]> {
  if (after !== undefined) {
    return await db.select().from(jobLogs)
      .where(and(eq(jobLogs.runId, runId), gt(jobLogs.seq, after)))
      .orderBy(asc(jobLogs.seq)).limit(limit);
  }
  const rows = await db.select().from(jobLogs).where(eq(jobLogs.runId, runId))
    .orderBy(desc(jobLogs.seq)).limit(limit);
  return rows.reverse();
}

/** Deletes a job's lines that are older than it keeps them. */
export async function pruneLines(
  tx: Db,
  { job, ms }: { job: string; ms: number },
): Promise<number> {
  const old = sql`now() - ${ms} * interval '1 ms'`;
  const gone = getRows(
    await tx.execute(sql`
      delete from job_logs using job_runs
      where job_runs.id = job_logs.run_id and job_runs.job = ${job} and job_runs.status <> 'running'
        and job_logs.at < ${old} returning 1`),
  );
  return gone.length;
}

/** Lists the jobs with stored runs. */
export async function jobsWithRuns(db: Db): Promise<string[]> {
  const rows = await db.selectDistinct({ job: jobRuns.job }).from(jobRuns)
    .where(lt(jobRuns.createdAt, sql`now() - interval '1 hour'`));
  return rows.map((it) => it.job);
}
