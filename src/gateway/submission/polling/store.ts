import { and, asc, count, desc, eq, inArray, or, sql } from "drizzle-orm";
import {
  paCursors,
  paFlows,
  paQuarantine,
  paQuarantineFiles,
  type QuarantineKind,
} from "#drizzle/schema/mod.ts";
import type { Counted, PageRequest } from "#src/kernel/page.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { isPdf } from "#src/ports/factur_x.ts";
import { listPage } from "#src/platform/lists/list.ts";
import type { QuarantinedFile } from "./understand.ts";

export type QuarantineRow = typeof paQuarantine.$inferSelect;
export type { QuarantineKind };

const FLOWS = "flows";
const ms = (n: number) => sql`${n} * interval '1 millisecond'`;

/** Position up to which the PA has been read. */
export interface PollCursor {
  readonly updatedAfter: string | undefined;
  readonly cursor: string | undefined;
  readonly scanNewest: string | undefined;
}

type PollTurn =
  | { readonly kind: "mine"; readonly reading: PollCursor }
  /** A poll that began after `asked` has ended, so no work is left. */
  | { readonly kind: "covered" }
  | { readonly kind: "busy" };

/** The database's time, by which polls are ordered. */
export async function databaseTime(db: Db): Promise<Date> {
  const [row] = getRows<{ now: string | Date }>(
    await db.execute(sql`select clock_timestamp() as now`),
  );
  return new Date(row?.now ?? 0);
}

/** Takes the poll lease in one statement, so that one of several polls reads. */
export async function takePollLease(
  db: Db,
  { holder, asked, leaseMs }: { holder: string; asked: Date; leaseMs: number },
): Promise<PollTurn> {
  await db.insert(paCursors).values({ name: FLOWS }).onConflictDoNothing();
  const [row] = await db.update(paCursors).set({
    leaseHolder: holder,
    leaseUntil: sql`clock_timestamp() + ${ms(leaseMs)}`,
    startedAt: sql`clock_timestamp()`,
  }).where(and(
    eq(paCursors.name, FLOWS),
    or(sql`lease_holder is null`, sql`lease_until < clock_timestamp()`),
    sql`coalesce(covers_until, '-infinity') < ${asked.toISOString()}::timestamptz`,
  )).returning();
  if (row) return { kind: "mine", reading: getReading(row) };
  const [now] = await db.select().from(paCursors).where(eq(paCursors.name, FLOWS));
  return { kind: now?.coversUntil && now.coversUntil >= asked ? "covered" : "busy" };
}

function getReading(row: typeof paCursors.$inferSelect): PollCursor {
  return {
    updatedAfter: row.updatedAfter ?? undefined,
    cursor: row.cursor ?? undefined,
    scanNewest: row.scanNewest ?? undefined,
  };
}

export async function extendPollLease(db: Db, holder: string, leaseMs: number): Promise<boolean> {
  const rows = await db.update(paCursors).set({
    leaseUntil: sql`clock_timestamp() + ${ms(leaseMs)}`,
  })
    .where(and(eq(paCursors.name, FLOWS), eq(paCursors.leaseHolder, holder))).returning({
      name: paCursors.name,
    });
  return rows.length === 1;
}

/** `complete`: everything the PA knew when the turn began has been read. */
export async function releasePollLease(
  db: Db,
  holder: string,
  { complete }: { complete: boolean },
): Promise<void> {
  await db.update(paCursors).set({
    leaseHolder: null,
    leaseUntil: null,
    ...complete && { coversUntil: sql`started_at` },
  }).where(and(eq(paCursors.name, FLOWS), eq(paCursors.leaseHolder, holder)));
}

/** Stores the position of the poll. Returns false when another process has the lease; then nothing may be stored. */
export async function moveReading(
  tx: Db,
  holder: string,
  to: Partial<PollCursor>,
): Promise<boolean> {
  const rows = await tx.update(paCursors).set({
    ...to.updatedAfter !== undefined && { updatedAfter: to.updatedAfter },
    cursor: to.cursor ?? null,
    scanNewest: to.scanNewest ?? null,
    updatedAt: sql`now()`,
  }).where(and(eq(paCursors.name, FLOWS), eq(paCursors.leaseHolder, holder))).returning({
    name: paCursors.name,
  });
  return rows.length === 1;
}

/** Returns the acknowledgement status in which each of these flows was handled. */
export async function handledFlows(
  db: Db,
  flowIds: readonly string[],
): Promise<Map<string, string>> {
  if (!flowIds.length) return new Map();
  const rows = await db.select({ flowId: paFlows.flowId, ack: paFlows.ackStatus }).from(paFlows)
    .where(inArray(paFlows.flowId, [...flowIds]));
  return new Map(rows.map((it) => [it.flowId, it.ack]));
}

export async function markHandled(
  tx: Db,
  flows: readonly (typeof paFlows.$inferInsert)[],
): Promise<void> {
  if (!flows.length) return;
  await tx.insert(paFlows).values([...flows]).onConflictDoUpdate({
    target: paFlows.flowId,
    set: {
      ackStatus: sql`excluded.ack_status`,
      flowType: sql`excluded.flow_type`,
      updatedAt: sql`excluded.updated_at`,
      trackingId: sql`coalesce(excluded.tracking_id, ${paFlows.trackingId})`,
      submittedAt: sql`coalesce(excluded.submitted_at, ${paFlows.submittedAt})`,
      handledAt: sql`now()`,
    },
  });
}

/** Returns the time when the PA accepted these submissions, by id; for several copies, the first. */
export async function takenAt(
  db: Db,
  sendings: readonly { readonly id: string; readonly flowId: string | null }[],
): Promise<Map<string, string>> {
  if (!sendings.length) return new Map();
  const { flowId, submittedAt, trackingId } = paFlows;
  const rows = await db.select({ flowId, submittedAt, trackingId }).from(paFlows).where(or(
    inArray(trackingId, sendings.map((it) => it.id)),
    inArray(flowId, sendings.flatMap((it) => it.flowId ?? [])),
  )).orderBy(asc(submittedAt));
  return new Map(sendings.flatMap(({ id, flowId }) => {
    const first = rows.find((it) =>
      it.submittedAt !== null && (it.trackingId === id || it.flowId === flowId)
    );
    return first?.submittedAt ? [[id, first.submittedAt] as const] : [];
  }));
}

type QuarantineFields = Omit<typeof paQuarantine.$inferInsert, "nextAt"> & {
  /** Tried again by itself after so long; never when absent. */
  readonly waitMs?: number | undefined;
  readonly file?: QuarantinedFile | undefined;
};

export async function quarantineFlows(tx: Db, rows: readonly QuarantineFields[]): Promise<void> {
  if (!rows.length) return;
  const values = rows.map(({ waitMs, file: _, ...row }) => ({
    ...row,
    nextAt: waitMs === undefined ? null : sql`now() + ${ms(waitMs)}`,
  }));
  await tx.insert(paQuarantine).values(values).onConflictDoUpdate({
    target: paQuarantine.flowId,
    set: {
      kind: sql`excluded.kind`,
      reason: sql`excluded.reason`,
      reasonFr: sql`excluded.reason_fr`,
      content: sql`coalesce(excluded.content, ${paQuarantine.content})`,
      metadata: sql`coalesce(excluded.metadata, ${paQuarantine.metadata})`,
      nextAt: sql`excluded.next_at`,
      invoiceNumber: sql`excluded.invoice_number`,
      supplierSiren: sql`excluded.supplier_siren`,
      attempts: sql`${paQuarantine.attempts} + 1`,
    },
  });
  const files = rows.flatMap(({ flowId, file }) => file ? [fileRow(flowId, file)] : []);
  for (const file of files) {
    await tx.insert(paQuarantineFiles).values(file)
      .onConflictDoUpdate({ target: paQuarantineFiles.flowId, set: file });
  }
}

function fileRow(flowId: string, { bytes, fileName }: QuarantinedFile) {
  const ending = isPdf(bytes) ? "pdf" : "xml";
  const name = (fileName ?? `${flowId}.${ending}`).replace(/[^\w.-]/g, "_").slice(-150);
  return { flowId, name, size: bytes.length, bytes };
}

/** Returns the file of a quarantined flow; undefined when the PA returned none. */
export async function findQuarantinedFile(
  db: Db,
  flowId: string,
): Promise<{ name: string; bytes: Uint8Array } | undefined> {
  const [row] = await db.select().from(paQuarantineFiles)
    .where(eq(paQuarantineFiles.flowId, flowId));
  return row;
}

export async function releaseFlows(tx: Db, flowIds: readonly string[]): Promise<void> {
  if (flowIds.length) {
    await tx.delete(paQuarantine).where(inArray(paQuarantine.flowId, [...flowIds]));
  }
}

/** Read for the rows of a page only. */
const FILE_SIZE = sql<number | null>`(select size from ${paQuarantineFiles}
  where ${paQuarantineFiles.flowId} = ${paQuarantine.flowId})`;

export async function findQuarantined(db: Db, flowId: string): Promise<QuarantineRow | undefined> {
  const [row] = await db.select().from(paQuarantine).where(eq(paQuarantine.flowId, flowId));
  return row;
}

/** Most reasons that are counted. */
const MAX_REASONS = 50;

/** Counts the quarantined flows by reason, the most frequent first. */
export function countReasons(
  db: Db,
): Promise<(Pick<QuarantineRow, "reason" | "reasonFr"> & { count: number })[]> {
  const { reason, reasonFr } = paQuarantine;
  return db.select({ reason, reasonFr, count: count() }).from(paQuarantine)
    .groupBy(reason, reasonFr).orderBy(desc(count()), asc(reason)).limit(MAX_REASONS);
}

export async function listQuarantined(
  db: Db,
  { kind, page }: { kind?: QuarantineKind | undefined; page: PageRequest },
): Promise<Counted & { flows: (QuarantineRow & { fileSize: number | null })[] }> {
  const { rows, ...counted } = await listPage(
    db,
    {
      table: paQuarantine,
      id: paQuarantine.flowId,
      where: kind && eq(paQuarantine.kind, kind),
      keys: [paQuarantine.createdAt, paQuarantine.flowId],
      sortBy: "createdAt",
      sortDir: "desc",
      page,
    },
    (hits) =>
      db.select({ flow: paQuarantine, fileSize: FILE_SIZE, ...hits.fields })
        .from(hits.from).innerJoin(paQuarantine, eq(paQuarantine.flowId, hits.id))
        .orderBy(hits.order),
  );
  return { flows: rows.map(({ flow, fileSize }) => ({ ...flow, fileSize })), ...counted };
}
