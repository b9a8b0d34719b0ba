import { eq, inArray, sql } from "drizzle-orm";
import { paCursors, paFlows, paQuarantine, submissions } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { SubmissionRow } from "./submission_store.ts";

export { type SubmissionRow, updateSubmission } from "./submission_store.ts";

export async function findByTracking(db: Db, ids: readonly string[]): Promise<SubmissionRow[]> {
  if (!ids.length) return [];
  return await db.select().from(submissions).where(inArray(submissions.id, [...ids]));
}

export async function findByFlow(db: Db, flowIds: readonly string[]): Promise<SubmissionRow[]> {
  if (!flowIds.length) return [];
  return await db.select().from(submissions).where(inArray(submissions.flowId, [...flowIds]));
}

/** Holds the cursor for the transaction: two polls at once are one after the other. */
export async function lockCursor(tx: Db, name: string) {
  await tx.insert(paCursors).values({ name }).onConflictDoNothing();
  const [row] = await tx.select().from(paCursors).where(eq(paCursors.name, name)).for("update");
  return row;
}

export async function readCursor(db: Db, name: string): Promise<string | undefined> {
  const [row] = await db.select().from(paCursors).where(eq(paCursors.name, name));
  return row?.updatedAfter ?? undefined;
}

export async function moveCursor(tx: Db, name: string, updatedAfter: string): Promise<void> {
  await tx.update(paCursors).set({ updatedAfter, updatedAt: sql`now()` }).where(eq(paCursors.name, name));
}

/** Of these flows, the ones handled in their present acknowledgement state. */
export async function handledFlows(db: Db, flowIds: readonly string[]): Promise<Map<string, string>> {
  if (!flowIds.length) return new Map();
  const rows = await db.select({ flowId: paFlows.flowId, ack: paFlows.ackStatus }).from(paFlows)
    .where(inArray(paFlows.flowId, [...flowIds]));
  return new Map(rows.map((it) => [it.flowId, it.ack]));
}

export async function markHandled(tx: Db, flow: typeof paFlows.$inferInsert): Promise<void> {
  await tx.insert(paFlows).values(flow).onConflictDoUpdate({
    target: paFlows.flowId,
    set: { ackStatus: flow.ackStatus, updatedAt: flow.updatedAt ?? null, handledAt: sql`now()` },
  });
}

export async function quarantine(tx: Db, row: typeof paQuarantine.$inferInsert): Promise<void> {
  await tx.insert(paQuarantine).values(row).onConflictDoUpdate({
    target: paQuarantine.flowId,
    set: { reason: row.reason, content: row.content ?? null, createdAt: sql`now()` },
  });
}
