import { and, eq, gte, lt, ne, or, sql } from "drizzle-orm";
import { inboundFiles, runs, scheduleRuns } from "#drizzle/schema/mod.ts";
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

interface Seen {
  readonly source: string;
  readonly name: string;
  readonly size: number;
  readonly modified: number;
}

export async function isKnownFile(
  db: Db,
  { source, name, size, modified }: Seen,
): Promise<boolean> {
  const [row] = await db.select({ id: inboundFiles.id }).from(inboundFiles).where(and(
    eq(inboundFiles.source, source),
    eq(inboundFiles.name, name),
    eq(inboundFiles.size, size),
    eq(inboundFiles.modified, modified),
  ));
  return row !== undefined;
}

/** The run somebody else started for the file as it is now. */
export async function findRunOf(
  db: Db,
  { file, since }: { file: string; since: Date },
): Promise<string | undefined> {
  const [row] = await db.select({ id: runs.id }).from(runs).where(and(
    eq(runs.file, file),
    gte(runs.createdAt, since),
    or(ne(runs.mode, "UBL_VALIDATE")),
  )).limit(1);
  return row?.id;
}
