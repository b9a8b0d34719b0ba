import { and, eq, lt, ne, sql } from "drizzle-orm";
import { scheduleRuns } from "#drizzle/schema/mod.ts";
import type { ScheduleKind } from "#src/domain/schedule/schedule.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";

export async function databaseNow(db: Db): Promise<Date> {
  const [row] = rowsOf<{ ms: number | string }>(
    await db.execute(sql`select floor(extract(epoch from now()) * 1000)::bigint as ms`),
  );
  return new Date(Number(row?.ms));
}

/**
 * True for the one caller that serves this moment. A schedule seen for the first time, or with another expression, is
 * only noted: what was due before it was set up is not made up for.
 */
export async function takeDue(
  tx: Db,
  { template, kind, cron, due }: { template: string; kind: ScheduleKind; cron: string; due: Date },
): Promise<boolean> {
  const noted = await tx.insert(scheduleRuns).values({ template, kind, cron, lastDue: due })
    .onConflictDoNothing().returning({ kind: scheduleRuns.kind });
  if (noted.length) return false;
  const mine = and(eq(scheduleRuns.template, template), eq(scheduleRuns.kind, kind));
  const renewed = await tx.update(scheduleRuns).set({ cron, lastDue: due })
    .where(and(mine, ne(scheduleRuns.cron, cron))).returning({ kind: scheduleRuns.kind });
  if (renewed.length) return false;
  const taken = await tx.update(scheduleRuns).set({ lastDue: due })
    .where(and(mine, lt(scheduleRuns.lastDue, due))).returning({ kind: scheduleRuns.kind });
  return taken.length === 1;
}
