import { and, eq, lt, notInArray, sql } from "drizzle-orm";
import { jobSchedules } from "#drizzle/schema/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";

export interface ScheduleKey {
  readonly job: string;
  /** Expression and zone. */
  readonly cron: string;
}

export async function databaseNow(db: Db): Promise<Date> {
  const [row] = getRows<{ ms: number | string }>(
    await db.execute(sql`select floor(extract(epoch from now()) * 1000)::bigint as ms`),
  );
  return new Date(Number(row?.ms));
}

/** Returns the last due time. A new schedule is only recorded: earlier times are not caught up. */
export async function noteSchedule(db: Db, key: ScheduleKey, now: Date): Promise<Date> {
  await db.insert(jobSchedules).values({ ...key, lastDue: now }).onConflictDoNothing();
  const [row] = await db.select({ lastDue: jobSchedules.lastDue }).from(jobSchedules)
    .where(isOne(key));
  return row?.lastDue ?? now;
}

/** Returns the last due time and locks the schedule against other processes until the transaction ends. */
export async function lockSchedule(tx: Db, key: ScheduleKey): Promise<Date | undefined> {
  const [row] = await tx.select({ lastDue: jobSchedules.lastDue }).from(jobSchedules)
    .where(isOne(key)).for("update");
  return row?.lastDue;
}

export async function moveSchedule(tx: Db, key: ScheduleKey, lastDue: Date): Promise<void> {
  await tx.update(jobSchedules).set({ lastDue }).where(
    and(isOne(key), lt(jobSchedules.lastDue, lastDue)),
  );
}

/** Deletes schedules missing from the settings. Recent ones stay, because another process may know newer settings. */
export async function pruneSchedules(db: Db, known: readonly ScheduleKey[]): Promise<void> {
  const keys = known.map(({ job, cron }) => `${job} ${cron}`);
  await db.delete(jobSchedules).where(and(
    lt(jobSchedules.notedAt, sql`now() - interval '10 minutes'`),
    keys.length
      ? notInArray(sql`${jobSchedules.job} || ' ' || ${jobSchedules.cron}`, keys)
      : undefined,
  ));
}

function isOne({ job, cron }: ScheduleKey) {
  return and(eq(jobSchedules.job, job), eq(jobSchedules.cron, cron));
}
