import { and, asc, desc, eq, gt, lt, lte, sql } from "drizzle-orm";
import { jobLogs, jobRuns } from "#drizzle/schema/mod.ts";
import { type Kept, kept, type SentenceOrText } from "#src/kernel/sentences/kept.ts";
import type { LogLevel } from "#src/domain/job/run.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";

export type LogRow = typeof jobLogs.$inferSelect;

/** A line of a run's log, before it is kept. */
export interface LogLine {
  readonly at: Date;
  readonly level: LogLevel;
  readonly step?: string | undefined;
  readonly message: SentenceOrText;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** Lines a run keeps: the latest. */
export const MOST_LINES = 10_000;

/** Adds lines behind those there are; resolves to them with their numbers. */
export async function insertLines(
  tx: Db,
  runId: string,
  lines: readonly LogLine[],
): Promise<(Omit<LogRow, "messageFr" | "message"> & Kept<"message">)[]> {
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
    ...bounded(kept("message", message)),
  }));
  await tx.insert(jobLogs).values(rows);
  if (run.total > MOST_LINES) {
    await tx.delete(jobLogs)
      .where(and(eq(jobLogs.runId, runId), lte(jobLogs.seq, run.total - MOST_LINES)));
  }
  return rows;
}

const MOST_CHARACTERS = 4_000;

function bounded({ message, messageFr }: Kept<"message">): Kept<"message"> {
  return {
    message: message.slice(0, MOST_CHARACTERS),
    messageFr: messageFr?.slice(0, MOST_CHARACTERS) ?? null,
  };
}

/** The latest lines, oldest first; those after one where that is asked for. */
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
export async function forgetLines(
  tx: Db,
  { job, ms }: { job: string; ms: number },
): Promise<number> {
  const old = sql`now() - ${ms} * interval '1 ms'`;
  const gone = rowsOf(
    await tx.execute(sql`
      delete from job_logs using job_runs
      where job_runs.id = job_logs.run_id and job_runs.job = ${job} and job_runs.status <> 'running'
        and job_logs.at < ${old} returning 1`),
  );
  return gone.length;
}

/** Jobs of which runs are kept. */
export async function jobsWithRuns(db: Db): Promise<string[]> {
  const rows = await db.selectDistinct({ job: jobRuns.job }).from(jobRuns)
    .where(lt(jobRuns.createdAt, sql`now() - interval '1 hour'`));
  return rows.map((it) => it.job);
}
