import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { invoiceDocuments, invoices, paCursors, paFlows, paQuarantine, submissionAttempts, submissions } from "#drizzle/schema/mod.ts";
import type { SubmissionState } from "#src/domain/submission/state.ts";
import type { Db } from "#src/ports/db.ts";

export type SubmissionRow = typeof submissions.$inferSelect;

export async function insertSubmission(tx: Db, row: typeof submissions.$inferInsert): Promise<void> {
  await tx.insert(submissions).values(row);
}

/** Holds the row until the transaction ends. */
export async function lockSubmission(tx: Db, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await tx.select().from(submissions).where(eq(submissions.id, id)).for("update");
  return row;
}

export async function latestSubmission(db: Db, invoiceId: number): Promise<SubmissionRow | undefined> {
  const [row] = await db.select().from(submissions).where(eq(submissions.invoiceId, invoiceId))
    .orderBy(desc(submissions.generation)).limit(1);
  return row;
}

export async function updateSubmission(
  tx: Db,
  id: string,
  fields: Partial<typeof submissions.$inferInsert> & { state: SubmissionState },
): Promise<void> {
  await tx.update(submissions).set({ ...fields, updatedAt: sql`now()` }).where(eq(submissions.id, id));
}

export async function supersede(tx: Db, invoiceId: number): Promise<void> {
  await tx.update(submissions).set({ state: "superseded", updatedAt: sql`now()` })
    .where(and(eq(submissions.invoiceId, invoiceId), inArray(submissions.state, ["intent", "parked", "accepted", "rejected"])));
}

export async function insertAttempt(tx: Db, row: typeof submissionAttempts.$inferInsert): Promise<void> {
  await tx.insert(submissionAttempts).values(row);
}

export async function endAttempt(
  tx: Db,
  { submissionId, n }: { submissionId: string; n: number },
  fields: Partial<typeof submissionAttempts.$inferInsert>,
): Promise<void> {
  await tx.update(submissionAttempts).set(fields)
    .where(and(eq(submissionAttempts.submissionId, submissionId), eq(submissionAttempts.n, n)));
}

/** What is sent: the stored UBL, with the name and the declaration the PA is told. */
export async function payloadOf(db: Db, invoiceId: number) {
  const [row] = await db.select({
    ubl: invoiceDocuments.content,
    sha256: invoiceDocuments.sha256,
    doc: invoices.doc,
    dct: invoices.dct,
    kco: invoices.kco,
    ublNumber: invoices.ublNumber,
    verdict: invoices.verdict,
  }).from(invoices).innerJoin(
    invoiceDocuments,
    and(eq(invoiceDocuments.invoiceId, invoices.id), eq(invoiceDocuments.kind, "ubl")),
  ).where(eq(invoices.id, invoiceId));
  return row;
}

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
