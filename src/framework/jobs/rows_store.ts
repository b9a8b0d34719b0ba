import { and, asc, eq, gte } from "drizzle-orm";
import { jobRows } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export type JobRow = Readonly<Record<string, unknown>>;

/** Step of a run that stores rows. */
export interface RowsOf {
  readonly runId: string;
  readonly position: number;
}

/** Rows per part, which a step over rows loads at once. */
export const PART = 500;

export async function clearRows(db: Db, { runId, position }: RowsOf): Promise<void> {
  await db.delete(jobRows).where(and(eq(jobRows.runId, runId), eq(jobRows.position, position)));
}

export async function insertPart(
  db: Db,
  { runId, position, part, rows }: RowsOf & { part: number; rows: readonly JobRow[] },
): Promise<void> {
  await db.insert(jobRows).values({ runId, position, part, rows }).onConflictDoUpdate({
    target: [jobRows.runId, jobRows.position, jobRows.part],
    set: { rows },
  });
}

/** The rows of a step from one on, a part at a time. */
export async function* readRows(
  db: Db,
  { runId, position, from = 0 }: RowsOf & { from?: number },
): AsyncGenerator<{ at: number; rows: readonly JobRow[] }> {
  for (let part = Math.floor(from / PART);; part++) {
    const [row] = await db.select().from(jobRows).where(and(
      eq(jobRows.runId, runId),
      eq(jobRows.position, position),
      gte(jobRows.part, part),
    )).orderBy(asc(jobRows.part)).limit(1);
    if (row?.part !== part) return;
    const skipped = Math.max(0, from - part * PART);
    yield { at: part * PART + skipped, rows: row.rows.slice(skipped) };
  }
}

/** A replay goes on with the rows of the run it repeats. */
export async function copyRows(tx: Db, from: RowsOf, to: RowsOf): Promise<void> {
  for await (const { at, rows } of readRows(tx, from)) {
    await insertPart(tx, { ...to, part: Math.floor(at / PART), rows });
  }
}
